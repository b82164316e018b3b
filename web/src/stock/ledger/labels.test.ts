import { describe, expect, it } from 'vitest';
import type { Ledger, LedgerCount, LedgerDay, LedgerMovement } from './api';
import {
  documentHref,
  isShared,
  kindWord,
  pointsOf,
  productHref,
  runningOf,
  salesHref,
  signed,
} from './labels';

const movement = (more: Partial<LedgerMovement>): LedgerMovement => ({
  seq: 1,
  kind: 'receipt',
  documentId: 'r1',
  rootItemId: 'rice',
  qty: 4,
  rootQty: 4,
  at: '2026-11-20T02:00:00Z',
  ...more,
});

const count = (more: Partial<LedgerCount>): LedgerCount => ({
  itemId: 'loose',
  itemName: 'Rice, loose',
  session: 'closing',
  before: false,
  qty: 9,
  at: '2026-11-20T13:00:00Z',
  expected: 10,
  variance: -1,
  close: 0,
  ...more,
});

const day = (date: string, more: Partial<LedgerDay>): LedgerDay => ({
  date,
  moved: 0,
  movedInAll: 0,
  used: 0,
  usedInAll: 0,
  movements: [],
  sales: [],
  counts: [],
  balance: null,
  ...more,
});

const ledger = (days: LedgerDay[], start: number | null): Ledger => ({
  storeId: 's1',
  storeName: 'Makati',
  item: { id: 'loose', name: 'Rice, loose', roots: [], beside: [] },
  from: '2026-11-18',
  to: '2026-11-21',
  start,
  days,
  truncated: false,
  onHand: null,
  expected: null,
  variance: null,
  varianceValue: null,
});

describe('ledger texts', () => {
  it('name the kind of movement', () => {
    expect(kindWord(movement({}))).toBe('Receipt');
    expect(kindWord(movement({ kind: 'waste', reverses: 7 }))).toBe('Waste reversed');
    expect(kindWord(movement({ kind: 'supplierReturn' }))).toBe('Supplier return');
    expect([signed(2), signed(-2), signed(0), signed(null)]).toEqual(['+2', '−2', '0', '–']);
  });

  it('tell a part from the whole', () => {
    const movements = [movement({ qty: 0.1 }), movement({ qty: 0.2 })];
    expect(isShared(day('2026-11-18', { movements, moved: 0.3 }))).toBe(false);
    expect(isShared(day('2026-11-18', { movements, moved: 0.2 }))).toBe(true);
    expect(isShared(day('2026-11-18', { moved: 0.2 }))).toBe(false);
  });
});

describe('links', () => {
  const may = () => true;

  it('exist if there is a page and the right to see it', () => {
    expect(documentHref(movement({ kind: 'waste' }), may)).toBe('/stores/transactions/waste/r1');
    expect(documentHref(movement({ kind: 'waste' }), () => false)).toBe(null);
    expect(documentHref(movement({ kind: 'supplierReturn' }), may)).toBe(
      '/commissary/supplier-returns/r1',
    );
    expect(productHref('p1', may)).toBe('/products/p1');
    expect(productHref('p1', () => false)).toBe(null);
    expect(salesHref('s1', 'rice', '2026-11-20', () => false)).toBe(null);
    expect(salesHref('s1', 'rice', '2026-11-20', may)).toBe(
      '/reports/sales-by-root-items?from=2026-11-20&to=2026-11-20&stores=s1&cell=2026-11-20_2026-11-20_s1_rice',
    );
  });
});

describe('chart points', () => {
  it('include every day, with its balance', () => {
    const points = pointsOf(
      ledger(
        [
          day('2026-11-19', { used: 2, balance: 10 }),
          day('2026-11-20', { counts: [count({})], balance: 9 }),
        ],
        12,
      ),
    );
    expect(points.days.map(({ key }) => key)).toEqual([
      '2026-11-17',
      '2026-11-18',
      '2026-11-19',
      '2026-11-20',
      '2026-11-21',
    ]);
    expect(points.balance).toEqual([12, 12, 10, 9, 9]);
    expect(points.counted).toEqual([null, null, null, 9, null]);
    expect(points.expected).toEqual([null, null, null, 10, null]);
    expect(points.days[2]?.title).toBe('19 Nov · used 2');
  });

  it('begin at the first count', () => {
    const first = count({ expected: null, variance: null });
    const points = pointsOf(ledger([day('2026-11-20', { counts: [first], balance: 9 })], null));
    expect(points.balance).toEqual([null, null, 9, 9]);
    expect(points.expected).toEqual([null, null, null, null]);
  });

  it('sum the items of a root item', () => {
    const counts = [count({}), count({ itemId: 'sack', qty: 20, expected: 25, variance: -5 })];
    const points = pointsOf(ledger([day('2026-11-20', { counts, balance: 29 })], 40));
    const before = counts.map((one) => ({ ...one, before: true }));
    const opened = day('2026-11-20', { counts: before, moved: 3, used: 5, balance: 27 });
    expect(pointsOf(ledger([opened], 40)).expected[3]).toBe(35);
    expect(points.counted[3]).toBe(29);
    expect(points.expected[3]).toBe(35);
  });
});

describe('running balances', () => {
  const one = day('2026-11-20', {
    moved: 6,
    movedInAll: 6,
    used: 3,
    usedInAll: 3,
    movements: [movement({ qty: 8 }), movement({ seq: 2, kind: 'waste', qty: -2 })],
    counts: [
      count({ before: true, session: 'opening', qty: 9, variance: -1 }),
      count({ qty: 11, variance: -1 }),
    ],
    balance: 11,
  });

  it('follow counts, movements and sales in order', () => {
    expect(runningOf(one, 10)).toEqual({ before: [9], movements: [17, 15], used: 12, after: [11] });
  });

  it("are null if the lines do not add up to the day's balance", () => {
    expect(runningOf({ ...one, balance: 4 }, 10).movements).toEqual([null, null]);
    expect(runningOf({ ...one, moved: 3 }, 10).used).toBeNull();
    expect(runningOf(one, null).after).toEqual([null]);
  });

  it('begin with a first count', () => {
    const first = day('2026-11-20', {
      counts: [count({ qty: 5, expected: null, variance: null })],
      balance: 5,
    });
    expect(runningOf(first, null).after).toEqual([5]);
  });
});
