import { describe, expect, it } from 'vitest';
import type { GuideItem, Order } from '#/documents/orders';
import type { OrderDue } from '../types';
import {
  addedTo,
  emptyOrder,
  orderRecord,
  proposed,
  rowsOf,
  stillTaken,
  withoutSuggestions,
  withSuggestions,
} from './form';

const item = (productId: string, suggested: number | null) =>
  ({
    productId,
    name: productId,
    uomId: 'case',
    uomCode: 'case',
    factor: 24,
    whole: true,
    suggested,
    why: [],
    units: [
      { uomId: 'case', code: 'case', factor: 24, whole: true },
      { uomId: 'pc', code: 'pc', factor: 1, whole: true },
    ],
  }) as unknown as GuideItem;

const items = [item('buns', 2), item('rice', 3), item('salt', null)];
/** A draft that orders buns by the piece. */
const saved = { lines: [{ productId: 'buns', uomId: 'pc', qtyOrdered: 0 }] } as unknown as Order;

describe('suggestions on the phone', () => {
  it('are taken in the unit that is ordered', () => {
    const form = { ...emptyOrder(), lines: { buns: '' } };
    const rows = rowsOf(items, form, saved);
    expect(rows.map(({ unit, suggested }) => [unit, suggested])).toEqual([
      ['pc', 48],
      ['case', 3],
      ['case', null],
    ]);
    expect(withSuggestions(form, rows).lines).toEqual({ buns: '48', rice: '3' });
  });

  it('are proposals until they are taken, and can be taken back', () => {
    const form = { ...emptyOrder(), lines: { rice: '5' } };
    const rows = rowsOf(items, form, undefined);
    expect(rows.map(({ qty }) => qty)).toEqual([0, 5, 0]);
    expect(proposed(rows).map((row) => row.item.productId)).toEqual(['buns']);
    const taken = withSuggestions(form, rows);
    expect(taken.lines).toEqual({ buns: '2', rice: '5' });
    expect(stillTaken(taken)).toEqual(['buns']);
    expect(withoutSuggestions(taken).lines).toEqual({ rice: '5' });
  });

  it('that were changed since stay', () => {
    const taken = withSuggestions(emptyOrder(), rowsOf(items, emptyOrder(), undefined));
    const changed = { ...taken, lines: { ...taken.lines, rice: '4' } };
    expect(withoutSuggestions(changed).lines).toEqual({ rice: '4' });
  });
});

describe('an order added to another one', () => {
  const form = { ...emptyOrder(), lines: { buns: '50', rice: '2' } };
  /** Fifty buns and two cases of rice. */
  const rows = rowsOf(items, form, saved);

  it('is added to its lines, in their unit', () => {
    const lines = [{ productId: 'buns', uomId: 'case', qtyOrdered: 1 }];
    // Fifty pieces need three cases.
    expect(addedTo(rows, lines)).toEqual({ buns: '4', rice: '2' });
    expect(addedTo(rows, [{ productId: 'buns', uomId: 'pc', qtyOrdered: 10 }])).toEqual({
      buns: '60',
      rice: '2',
    });
  });

  it('is added to what was typed for it', () => {
    const lines = [{ productId: 'rice', uomId: 'case', qtyOrdered: 9 }];
    expect(addedTo(rows, lines, { rice: '3' })).toMatchObject({ rice: '5' });
  });
});

describe('an urgent order', () => {
  const due: OrderDue = { sourceType: 'commissary', sourceId: 'c1', neededDate: '2026-11-27' };
  const send = (at: string, urgentReason?: string) => {
    const form = { ...emptyOrder(), lines: { buns: '2' } };
    const rows = rowsOf(items, form, undefined);
    const who = { uid: 'u1', storeId: 's1', due, form, rows };
    return orderRecord({ ...who, at: new Date(at), urgentReason }).body;
  };

  it('says why, and is for today where its day is over', () => {
    const urgent = { urgentReason: 'Fiesta' };
    expect(send('2026-11-27T02:00:00Z', 'Fiesta')).toMatchObject({
      ...urgent,
      neededDate: '2026-11-27',
    });
    expect(send('2026-11-28T02:00:00Z', 'Fiesta')).toMatchObject({
      ...urgent,
      neededDate: '2026-11-28',
    });
    expect(send('2026-11-28T02:00:00Z')).toMatchObject({ neededDate: '2026-11-27' });
    expect(send('2026-11-28T02:00:00Z')).not.toHaveProperty('urgentReason');
  });
});
