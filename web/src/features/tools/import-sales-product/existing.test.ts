import { describe, expect, it } from 'vitest';
import { choicesOf, totalAfter, totalBefore } from './existing';
import type { ExistingDay, OnExisting } from './types';

const dayOf = (day: string, net: number, after: Partial<Record<OnExisting, number>>) =>
  ({
    storeId: 's1',
    storeName: 'Larkspur Mall',
    day,
    there: { files: ['till1.csv'], tills: ['T1'], receipts: 2, qty: 3, net },
    comes: { tills: [], receipts: 1, qty: 3, net: 450 },
    overlap: { receipts: 0, qty: 0, net: 0 },
    choices: Object.entries(after).map(([id, sum]) => ({ id, qty: 1.1, net: sum })),
  }) as ExistingDay;

const days = [
  dayOf('2026-11-15', 360.1, { replaceDays: 450, add: 810.1, replaceTills: 450 }),
  dayOf('2026-11-16', 100.2, { replaceDays: 450, add: 550.2 }),
];

describe('a second file of store-days', () => {
  it('offers what all of the days have, adding first', () => {
    expect(choicesOf(days)).toEqual(['add', 'replaceDays']);
    expect(choicesOf(days.slice(0, 1))).toEqual(['add', 'replaceTills', 'replaceDays']);
    expect(choicesOf([dayOf('a', 1, { add: 1 }), dayOf('b', 1, { replaceDays: 1 })])).toEqual([
      'add',
      'replaceDays',
    ]);
  });

  it('adds up the days before and after', () => {
    expect(totalBefore(days)).toEqual({ qty: 6, net: 460.3 });
    expect(totalAfter(days, 'add')).toEqual({ qty: 2.2, net: 1360.3 });
    expect(totalAfter(days, 'replaceDays')).toEqual({ qty: 2.2, net: 900 });
  });
});
