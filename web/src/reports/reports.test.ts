import { describe, expect, it } from 'vitest';
import { readCell, writeCell } from '#/ui/cell';
import { sum } from '#/ui/sums';
import { matchingNames } from './filter';
import { sheets } from './matrix/PrintedMatrix';
import { nextSort, sortRows } from './matrix/sorting';
import type { MatrixColumn } from './matrix/types';
import { columnAt, visible } from './matrix/useWindow';
import { changeOf, columnSums, highest, leaders, shareOf } from './numbers';
import { namedRanges, readRange, writeRange } from './question/ranges';
import { isoWeek, span, weekName, weekTag, weekTick, wholeWeeks } from './question/weeks';
import { figureWidth } from './width';

const asked =
  (values: Record<string, string> = {}) =>
  (name: string) =>
    values[name] ?? '';

describe('ranges', () => {
  it('keep their meaning by name', () => {
    // A Friday.
    const now = '2026-11-20';
    const at = Object.fromEntries(namedRanges.map(({ id, range }) => [id, range(now)]));
    expect(at).toEqual({
      'this-week': { from: '2026-11-16', to: '2026-11-20' },
      'last-week': { from: '2026-11-09', to: '2026-11-15' },
      'last-4-weeks': { from: '2026-10-19', to: '2026-11-15' },
      'last-13-weeks': { from: '2026-08-17', to: '2026-11-15' },
      'this-month': { from: '2026-11-01', to: '2026-11-20' },
      'last-month': { from: '2026-10-01', to: '2026-10-31' },
      'this-year': { from: '2026-01-01', to: '2026-11-20' },
      'last-year': { from: '2025-01-01', to: '2025-12-31' },
    });
  });

  it('are right on the first and last days of a year', () => {
    const of = (id: string, now: string) => namedRanges.find((one) => one.id === id)?.range(now);
    expect(of('last-week', '2026-01-01')).toEqual({ from: '2025-12-22', to: '2025-12-28' });
    expect(of('last-month', '2026-01-31')).toEqual({ from: '2025-12-01', to: '2025-12-31' });
    expect(of('this-month', '2024-02-29')).toEqual({ from: '2024-02-01', to: '2024-02-29' });
    expect(of('this-week', '2026-11-22')).toEqual({ from: '2026-11-16', to: '2026-11-22' });
  });

  it('are read from the address, two dates before a name, and written back', () => {
    const now = '2026-11-20';
    expect(readRange(asked({ range: 'last-week' }), now)).toMatchObject({
      id: 'last-week',
      from: '2026-11-09',
    });
    expect(
      readRange(asked({ from: '2019-01-01', to: '2019-01-31', range: 'last-week' }), now),
    ).toEqual({ id: null, label: null, from: '2019-01-01', to: '2019-01-31' });
    for (const wrong of [
      {},
      { range: 'nonsense' },
      { from: '2019-02-01', to: '2019-01-01' },
      { from: '2019-02-31x', to: '2019-03-01' },
    ]) {
      expect(readRange(asked(wrong as Record<string, string>), now).id).toBe('last-13-weeks');
    }
    expect(writeRange({ id: 'last-13-weeks' })).toEqual({ range: null, from: null, to: null });
    expect(writeRange({ from: '2019-01-01', to: '2019-01-31' })).toEqual({
      range: null,
      from: '2019-01-01',
      to: '2019-01-31',
    });
  });
});

describe('weeks', () => {
  it.each([
    ['2019-01-01', 2019, 1],
    ['2018-12-31', 2019, 1],
    ['2021-01-03', 2020, 53],
    ['2016-01-01', 2015, 53],
    ['2024-12-30', 2025, 1],
    ['2026-11-20', 2026, 47],
    ['2015-08-31', 2015, 36],
  ])('%s is in week %i-%i', (day, year, week) => {
    expect(isoWeek(day)).toEqual({ year, week });
  });

  it('have short names, with the year where it changes', () => {
    expect(weekName('2019-03-04')).toBe('W10');
    expect(weekName('2019-01-01')).toBe('W01');
    expect(weekTag('2019-W10', undefined)).toBe('W10 ’19');
    expect(weekTag('2019-W11', '2019-W10')).toBe('W11');
    expect(weekTag('2020-W01', '2019-W52')).toBe('W01 ’20');
    expect(weekTick('2019-03-04', 13)).toBe('4 Mar');
    expect(weekTick('2019-03-04', 200)).toBe('Mar 2019');
  });

  it('cover a range whole', () => {
    expect(wholeWeeks({ from: '2019-03-01', to: '2019-03-31' })).toEqual({
      from: '2019-02-25',
      to: '2019-03-31',
    });
  });

  it('format a span as short as possible', () => {
    expect(span({ from: '2019-03-04', to: '2019-03-04' })).toBe('4 Mar 2019');
    expect(span({ from: '2019-03-04', to: '2019-03-10' })).toBe('4 – 10 Mar 2019');
    expect(span({ from: '2019-02-25', to: '2019-03-03' })).toBe('25 Feb – 3 Mar 2019');
    expect(span({ from: '2018-12-31', to: '2019-01-06' })).toBe('31 Dec 2018 – 6 Jan 2019');
  });
});

describe('figures', () => {
  it('add up without floating-point errors', () => {
    expect(sum([0.1, 0.2])).toBe(0.3);
    expect(sum([1.1, 2.2, -3.3])).toBe(0);
    expect(sum([null, undefined, 5])).toBe(5);
    expect(columnSums([[0.1, 1], [0.2]], 2)).toEqual([0.3, 1]);
  });

  it('change from the period before', () => {
    expect(changeOf(110, 100)).toBeCloseTo(0.1);
    expect(changeOf(0, 100)).toBe(-1);
    expect(changeOf(5, 0)).toBeNull();
    // More returns than sales before: growing is still growing.
    expect(changeOf(5, -10)).toBeCloseTo(1.5);
    expect(shareOf(1, 0)).toBeNull();
    expect(shareOf(1, 4)).toBe(0.25);
  });

  it('have a maximum and leaders', () => {
    expect(highest([3, 9, 9])).toBe(1);
    expect(highest([])).toBe(-1);
    const by = (n: number) => n;
    expect(leaders([1, 5, 3, 2], 2, by)).toEqual({ top: [5, 3], rest: [2, 1] });
    expect(leaders([1, 5, 3], 2, by)).toEqual({ top: [5, 3, 1], rest: [] });
  });

  it('know their width', () => {
    const write = (value: number) => String(value);
    expect(figureWidth([], write, 64)).toBe(64);
    const wide = figureWidth([1, 2.123456, 3], write, 64);
    expect(wide).toBeGreaterThan(figureWidth([1, 2, 3], write, 64));
  });
});

describe('the cell in the address', () => {
  it('round trips', () => {
    const cell = {
      from: '2019-03-04',
      to: '2019-03-10',
      storeId: 's1',
      itemId: 'unmapped:Naan_large',
    };
    expect(readCell(writeCell(cell))).toEqual(cell);
    const all = { ...cell, storeId: null, itemId: null };
    expect(readCell(writeCell(all))).toEqual(all);
  });

  it('is null if invalid', () => {
    expect(readCell('')).toBeNull();
    expect(readCell('2019-03-04_2019-03-01_*_x')).toBeNull();
    expect(readCell('2019-03-04_2019-03-10_*_')).toBeNull();
  });
});

interface Row {
  name: string;
  kind: string | null;
  n: number | null;
}
const row = (name: string, n: number | null, kind: string | null = null): Row => ({
  name,
  kind,
  n,
});
const columns: MatrixColumn<Row>[] = [
  { id: 'name', label: 'Name', width: 10, align: 'left', value: ({ name }) => name },
  { id: 'n', label: 'N', width: 10, value: ({ n }) => n },
];

describe('the matrix', () => {
  const rows = [row('B', 2), row('A', null), row('C', 10)];
  const names = (list: readonly Row[]) => list.map(({ name }) => name).join('');

  it('sorts by any column, missing values last', () => {
    expect(names(sortRows(rows, null, columns))).toBe('BAC');
    expect(names(sortRows(rows, { by: 'n', down: true }, columns))).toBe('CBA');
    expect(names(sortRows(rows, { by: 'n', down: false }, columns))).toBe('BCA');
    expect(names(sortRows(rows, { by: 'gone', down: false }, columns))).toBe('BAC');
  });

  it('sorts figures descending and names ascending first', () => {
    const first = nextSort(null, 'n', false);
    expect(first).toEqual({ by: 'n', down: true });
    const second = nextSort(first, 'n', false);
    expect(second).toEqual({ by: 'n', down: false });
    expect(nextSort(second, 'n', false)).toBeNull();
    expect(nextSort(first, 'name', true)).toEqual({ by: 'name', down: false });
  });

  it('filters by name and kind', () => {
    const list = [row('Plain Naan', 1, 'Bread'), row('Korma', 1, 'Curry')];
    expect(matchingNames(list, 'bread naan')).toEqual([list[0]]);
    expect(matchingNames(list, 'rice')).toEqual([]);
  });

  it('renders only what is in view', () => {
    const starts = Array.from({ length: 201 }, (_, i) => i * 70);
    expect(columnAt(starts, 0)).toBe(0);
    expect(columnAt(starts, 139)).toBe(1);
    expect(columnAt(starts, 99_999)).toBe(199);
    const at = visible(
      { rows: 248, rowHeight: 36, starts },
      { x: 7000, y: 3600, width: 900, height: 400 },
    );
    expect(at.top).toBeLessThanOrEqual(100);
    expect(at.bottom).toBeGreaterThanOrEqual(112);
    expect(at.left).toBeLessThanOrEqual(100);
    expect(at.right).toBeGreaterThanOrEqual(113);
    expect((at.bottom - at.top) * (at.right - at.left)).toBeLessThan(1200);
  });

  it('renders all of a small table and nothing of an empty one', () => {
    const screen = { x: 0, y: 0, width: 900, height: 400 };
    expect(visible({ rows: 3, rowHeight: 36, starts: [0, 70, 140] }, screen)).toEqual({
      top: 0,
      bottom: 3,
      left: 0,
      right: 2,
    });
    expect(visible({ rows: 0, rowHeight: 36, starts: [0] }, screen)).toEqual({
      top: 0,
      bottom: 0,
      left: 0,
      right: 0,
    });
  });

  it('prints every column once, in sheets', () => {
    const column = (id: string, grow?: true): MatrixColumn<Row> => ({
      id,
      label: id,
      width: 1,
      grow,
      value: () => 1,
    });
    const weeks = Array.from({ length: 30 }, (_, i) => column(`w${i}`, true));
    const out = sheets([column('kind'), ...weeks], column('total'));
    expect(out.map((sheet) => sheet.length)).toEqual([13, 12, 7]);
    expect(out.at(-1)?.at(-1)?.id).toBe('total');
    expect(new Set(out.flat().map(({ id }) => id)).size).toBe(32);
    expect(sheets([column('kind')], null)).toHaveLength(1);
  });
});
