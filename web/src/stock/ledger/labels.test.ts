import { describe, expect, it } from 'vitest';
import type { Ledger, LedgerCount, LedgerDay, LedgerMovement } from './api';
import {
  documentHref,
  kindWord,
  linesOf,
  pointsOf,
  productHref,
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
  afterCounts: 0,
  ...more,
});

const count = (more: Partial<LedgerCount>): LedgerCount => ({
  itemId: 'loose',
  itemName: 'Rice, loose',
  session: 'closing',
  before: false,
  moved: 0,
  used: 0,
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

  it('mark what was counted, though goods came and were sold after it', () => {
    const counts = [count({ used: 4, moved: 2, qty: 9, expected: 8, variance: 1 })];
    const points = pointsOf(
      ledger([day('2026-11-20', { counts, moved: 7, used: 5, balance: 13 })], 10),
    );
    expect([points.balance[3], points.counted[3], points.expected[3]]).toEqual([13, 9, 8]);
  });

  it('sum the items of a root item', () => {
    const counts = [count({}), count({ itemId: 'sack', qty: 20, expected: 25, variance: -5 })];
    const points = pointsOf(ledger([day('2026-11-20', { counts, balance: 29 })], 40));
    const before = counts.map((one) => ({ ...one, session: 'opening' as const }));
    const opened = day('2026-11-20', { counts: before, moved: 3, used: 5, balance: 27 });
    expect(pointsOf(ledger([opened], 40)).expected[3]).toBe(35);
    expect(points.counted[3]).toBe(29);
    expect(points.expected[3]).toBe(35);
  });
});

describe('the lines of a day', () => {
  const seen = (one: LedgerDay, start: number | null, itemId = 'loose') =>
    linesOf(one, start, itemId).map((line) => {
      if (line.kind === 'movement') return [line.moved.seq, line.after];
      if (line.kind === 'sales') return [`sales ${-line.used}`, line.after];
      if (line.kind === 'part') return [`part ${line.change} of ${line.inAll}`, line.after];
      return [line.count.session, line.after];
    });
  const opening = count({ before: true, session: 'opening', qty: 9, variance: -1 });
  const closing = count({ qty: 11, moved: 8, used: 5, variance: -1 });
  const late = movement({ seq: 2, kind: 'waste', qty: -2, afterCounts: 2 });
  const one = day('2026-11-20', {
    moved: 6,
    movedInAll: 6,
    used: 6,
    usedInAll: 6,
    movements: [movement({ qty: 8, afterCounts: 1 }), late],
    counts: [opening, closing],
    balance: 8,
  });

  it('are in order of time, and each count ends at what was counted', () => {
    expect(seen(one, 10)).toEqual([
      ['opening', 9],
      [1, 17],
      ['sales -5', 12],
      ['closing', 11],
      [2, 9],
      ['sales -1', 8],
    ]);
    expect(seen(one, null)[0]).toEqual(['opening', 9]);
    const whole = day('2026-11-20', { used: 3, usedInAll: 3, balance: 7 });
    expect(linesOf(whole, 10, 'loose')).toMatchObject([{ kind: 'sales', all: true, after: 7 }]);
  });

  it('say which part of the documents is of this item', () => {
    expect(seen({ ...one, moved: 4, counts: [opening, { ...closing, moved: 6 }] }, 10)).toEqual([
      ['opening', 9],
      [1, null],
      ['part 6 of 8', 15],
      ['sales -5', 10],
      ['closing', 11],
      [2, 9],
      ['sales -1', 8],
    ]);
    const hidden = day('2026-11-20', { moved: 4, movedInAll: 9, balance: 14 });
    expect(seen(hidden, 10)).toEqual([['part 4 of null', 14]]);
  });

  it('have a balance only if they lead to that of the day', () => {
    expect(seen({ ...one, balance: 4 }, 10)).toEqual([
      ['opening', 9],
      [1, null],
      ['sales -5', null],
      ['closing', 11],
      [2, null],
      ['sales -1', null],
    ]);
  });

  it('of a root item add what each of its items was off', () => {
    const counts = [count({ variance: -1 }), count({ itemId: 'sack', qty: 4, variance: 2 })];
    const lines = linesOf(day('2026-11-20', { counts, balance: 31 }), 30, 'rice');
    expect(lines.map(({ after }) => after)).toEqual([29, 31]);
  });
});
