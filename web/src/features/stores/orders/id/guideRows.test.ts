import { describe, expect, it } from 'vitest';
import type { GuideItem, Order } from '#/documents/orders';
import { GridModel } from '#/grid/model';
import { rowsOf, suggestionOf, suggestionsToTake } from './guideRows';

const items = [
  {
    productId: 'buns',
    name: 'Buns',
    uomId: 'case',
    uomCode: 'case',
    factor: 24,
    whole: true,
    suggested: 2,
    why: [],
    units: [
      { uomId: 'case', code: 'case', factor: 24, whole: true },
      { uomId: 'pc', code: 'pc', factor: 1, whole: true },
    ],
  },
] as unknown as GuideItem[];

const order = (qtyOrdered: number, uomId: string) =>
  ({ lines: [{ productId: 'buns', uomId, qtyOrdered }] }) as unknown as Order;

describe('taking suggestions', () => {
  const taken = (saved: Order, model = new GridModel()) =>
    suggestionsToTake(rowsOf(items, saved), model).map(({ text }) => text);

  it('enters them in the unit of the line', () => {
    expect(taken(order(5, 'case'))).toEqual(['2']);
    expect(taken(order(5, 'pc'))).toEqual(['48']);
    expect(taken(order(48, 'pc'))).toEqual([]);
  });

  it('follows a unit that was chosen and is not saved yet', () => {
    const model = new GridModel();
    model.set([{ row: 'buns', column: 'uom', text: 'pc' }]);
    const [row] = rowsOf(items, order(2, 'case'));
    expect(row && suggestionOf(row, model)).toBe(48);
    expect(taken(order(2, 'case'), model)).toEqual(['48']);
  });
});
