import { describe, expect, it } from 'vitest';
import type { components } from '#/api/schema.gen';
import type { Order, OrderLine } from '#/documents/orders';
import { GridModel } from '#/grid/model';
import { amountOf, inLineUnit, lineAmount } from './approving';

const line = (part: object) =>
  ({
    id: 'a',
    qtyOrdered: 4,
    qtyApproved: null,
    unitPrice: 12.5,
    factorToBase: '12',
    ...part,
  }) as unknown as OrderLine;

describe('what users who approve see', () => {
  it('is the kitchen’s stock in the unit of the line, never more than there is', () => {
    const product = { factor: '1' } as unknown as components['schemas']['MatrixProduct'];
    expect(inLineUnit(36, product, line({}))).toBe(3);
    expect(inLineUnit(35, product, line({}))).toBe(2.916);
    expect(inLineUnit(0.3, product, line({ factorToBase: '0.1' }))).toBe(3);
  });

  it('is the amount of a line as it is typed', () => {
    const model = new GridModel();
    expect(lineAmount(line({}), model)).toBe(50);
    expect(lineAmount(line({ qtyApproved: 3 }), null)).toBe(37.5);
    model.set([{ row: 'a', column: 'qtyApproved', text: '2' }]);
    expect(lineAmount(line({}), model)).toBe(25);
    model.set([{ row: 'a', column: 'qtyApproved', text: 'two' }]);
    expect(lineAmount(line({}), model)).toBeNull();
    expect(lineAmount(line({ unitPrice: null }), null)).toBeNull();
  });

  it('is the total of the lines that have an amount', () => {
    const lines = [line({}), line({ id: 'b', unitPrice: null }), line({ id: 'c', qtyApproved: 1 })];
    expect(amountOf({ lines } as unknown as Order, new GridModel())).toBe(62.5);
    expect(amountOf({ lines: [lines[1]] } as unknown as Order, new GridModel())).toBeNull();
  });
});
