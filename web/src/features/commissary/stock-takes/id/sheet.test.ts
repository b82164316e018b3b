import { describe, expect, it } from 'vitest';
import type { Differences, StockTakeLine } from '#/documents/stockTakes';
import { readRecord, type TakeEntry, wireOf } from '../takeQueue';
import { areasOf, belowZeroOf, countedOf, differencesOf, postText, rowsOf } from './sheet';

const line = (more: Partial<StockTakeLine>): StockTakeLine => ({
  id: 'l1',
  position: 1,
  productId: 'buns',
  name: 'Buns',
  uomId: 'case',
  uomCode: 'case',
  factor: 24,
  factorToBase: 24,
  ...more,
});

const entry = (more: Partial<TakeEntry>): TakeEntry => ({
  op: 'phone:1',
  productId: 'buns',
  uomId: 'case',
  uomCode: 'case',
  name: 'Buns',
  counted: 3,
  at: '2026-11-24T02:20:00Z',
  ...more,
});

const LINES = [
  line({ id: 'd1', productId: 'dough', name: 'Dough', lot: 'D-1', area: 'Chiller', factor: 1 }),
  line({ id: 'd0', productId: 'dough', name: 'Dough', area: 'Chiller', factor: 1 }),
  line({ id: 'b' }),
];

describe('the sheet of a stock-take', () => {
  it('shows what waits on the device over what the server has', () => {
    const lines = [line({ counted: 2, countedBy: 'Ana', note: 'Wet' })];
    const [row] = rowsOf(lines, [entry({ counted: 5 }), entry({ op: 'phone:2', counted: 4 })]);
    expect(row).toMatchObject({ counted: 4, note: 'Wet', waiting: true });
    const [cleared] = rowsOf(lines, [entry({ counted: null })]);
    expect(cleared).toMatchObject({ counted: null, waiting: true });
    expect(rowsOf(lines, [])[0]).toMatchObject({ counted: 2, waiting: false });
  });

  it('has a lot that was added after its product, and a product in its area', () => {
    const added = [
      entry({ productId: 'dough', name: 'Dough', lot: 'D-9', area: 'Chiller', uomId: 'kg' }),
      entry({ productId: 'salt', name: 'Salt' }),
      entry({ productId: 'ice', name: 'Ice', area: 'Freezer' }),
    ];
    expect(rowsOf(LINES, added).map(({ name, lot }) => `${name} ${lot}`.trim())).toEqual([
      'Dough D-1',
      'Dough',
      'Dough D-9',
      'Ice',
      'Buns',
      'Salt',
    ]);
  });

  it('knows what is not counted, area by area', () => {
    const rows = rowsOf(LINES, [
      entry({ productId: 'dough', lot: 'D-1', uomId: 'case', counted: 0 }),
    ]);
    expect(countedOf(rows)).toBe(1);
    expect(areasOf(rows).map(({ label, lines, open }) => [label, lines, open.length])).toEqual([
      ['Chiller', 2, 1],
      ['Without an area', 1, 1],
    ]);
  });

  it('gives differences in the unit of the line, and none for a number that was not sent', () => {
    const differences: Differences = {
      revision: 3,
      worth: -12,
      lines: [
        { lineId: 'b', book: 96, difference: -12, worth: -12 },
        { lineId: 'd1', book: 10, difference: null, worth: null },
      ],
    };
    const found = differencesOf(rowsOf(LINES, []), differences);
    expect(found.get('buns|')).toEqual({ book: 4, difference: -0.5, worth: -12 });
    expect(found.get('dough|D-1')).toEqual({ book: 10, difference: null, worth: null });
    const waiting = differencesOf(rowsOf(LINES, [entry({})]), differences);
    expect(waiting.get('buns|')).toEqual({ book: 4, difference: null, worth: null });
    const other = differencesOf(
      rowsOf(LINES, [entry({ uomId: 'pc', uomCode: 'pc' })]),
      differences,
    );
    expect(other.has('buns|')).toBe(false);
  });
});

describe('the question before posting', () => {
  const said = (isCounted: boolean, difference: number | null, worth: number | null) => {
    const lines = LINES.map((one) => (isCounted && one.id === 'b' ? { ...one, counted: 3 } : one));
    const rows = rowsOf(lines, []);
    const found = { revision: 3, worth, lines: [{ lineId: 'b', book: 96, difference, worth }] };
    return postText(rows, differencesOf(rows, found), worth);
  };

  it('says how many of how many are counted, how many differ, and what it is worth', () => {
    expect(said(false, null, null)).toBe('0 of 3 lines are counted.');
    expect(said(true, 0, 0)).toBe('1 of 3 lines is counted, and none differs from the ledger.');
    expect(said(true, -24, -1250)).toBe(
      '1 of 3 lines is counted. 1 differs from the ledger, worth −₱1,250.00 in all.',
    );
    expect(said(true, 24, null)).toBe('1 of 3 lines is counted. 1 differs from the ledger.');
  });
});

describe('what is below zero', () => {
  const differences: Differences = {
    revision: 3,
    worth: null,
    lines: [
      { lineId: 'd1', book: 10, difference: null, worth: null },
      { lineId: 'd0', book: -3, difference: null, worth: null },
      { lineId: 'b', book: -48, difference: null, worth: null },
    ],
  };
  const below = (waiting: TakeEntry[]) => {
    const rows = rowsOf(LINES, waiting);
    return belowZeroOf(rows, differencesOf(rows, differences));
  };

  it('is named in the unit of its line, until it is counted', () => {
    expect(below([]).map(({ row, book }) => [row.name, row.lot, book])).toEqual([
      ['Dough', '', -3],
      ['Buns', '', -2],
    ]);
    expect(below([entry({ counted: 0 })]).map(({ row }) => row.name)).toEqual(['Dough']);
    expect(belowZeroOf(rowsOf(LINES, []), null)).toEqual([]);
  });
});

describe('numbers kept on the device', () => {
  it('are read only if they are whole', () => {
    const record = { takeId: 't1', takeNo: 'ST-1', uid: 'u1', entries: [entry({})] };
    expect(readRecord(record)).toEqual(record);
    expect(readRecord({ ...record, takeId: '' })).toBeNull();
    expect(readRecord({ ...record, entries: [] })).toBeNull();
    expect(readRecord({ ...record, entries: [{ ...entry({}), counted: '3' }] })).toBeNull();
    expect(readRecord(null)).toBeNull();
  });

  it('are sent without what only the screen needs', () => {
    expect(wireOf(entry({ lot: 'D-1', area: 'Chiller' }))).toEqual({
      op: 'phone:1',
      productId: 'buns',
      lot: 'D-1',
      uomId: 'case',
      counted: 3,
      at: '2026-11-24T02:20:00Z',
    });
  });
});
