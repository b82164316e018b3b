import { describe, expect, it } from 'vitest';
import { addDays, daysBetween } from '#/ui/dates';
import { sum } from '#/ui/sums';
import type { Override, Series } from '../forecastApi';
import {
  aheadOf,
  bandOf,
  firstAhead,
  overrideOn,
  partsOf,
  restsOn,
  shownParts,
  signsOf,
} from './grain';

const HISTORY = 100;
const AHEAD = 28;
const FIRST = '2026-08-17';

/** A hundred days of history from a Monday on, the ninth unknown, and four weeks ahead. */
function seriesOf(overrides: Override[] = []): Series {
  const dates = daysBetween(FIRST, addDays(FIRST, HISTORY + AHEAD - 1));
  const ahead = (value: number) => dates.map((_, at) => (at < HISTORY ? null : value));
  return {
    storeId: 's',
    rootItemId: 'i',
    unit: 'kg',
    dates,
    actual: dates.map((_, at) => (at < HISTORY && at !== 8 ? 10 + (at % 7) : null)),
    masked: dates.map((_, at) => at === 8),
    forecast: ahead(12),
    lower: ahead(8),
    upper: ahead(16),
    level: 0.8,
    method: 'combined',
    candidates: [],
    events: [{ date: addDays(FIRST, 105), name: 'Payday', factor: 1.1 }],
    overrides,
  };
}

const override = (
  from: string,
  to: string,
  qty: number,
  at = '2026-11-01T00:00:00Z',
): Override => ({
  id: at,
  storeId: 's',
  rootItemId: 'i',
  from,
  to,
  qty,
  reason: '',
  revision: 1,
  updatedAt: at,
  updatedBy: { uid: '', name: '', email: '' },
});

describe('a series by day, week and month', () => {
  it.each(['day', 'week', 'month'] as const)(
    'counts each sale and each day ahead once by %s',
    (grain) => {
      const series = seriesOf();
      const parts = partsOf(series, grain);
      const known = series.actual.filter((value) => value !== null);
      expect(sum(parts.map(({ sold }) => sold ?? 0))).toBe(sum(known as number[]));
      expect(sum(parts.map(({ expected }) => expected ?? 0))).toBe(12 * AHEAD);
      expect(sum(parts.map(({ days }) => days))).toBe(HISTORY + AHEAD);
      expect(sum(parts.map(({ unknown }) => unknown))).toBe(1);
      expect(parts.map(({ key }) => key)).toEqual([...new Set(parts.map(({ key }) => key))].sort());
    },
  );

  it('splits the week between history and forecast', () => {
    const weeks = partsOf(seriesOf(), 'week');
    const middle = weeks[firstAhead(weeks)];
    // Day 98 is a Monday: two days are over, five are ahead.
    expect([middle?.from, middle?.sold, middle?.expected]).toEqual(['2026-11-23', 21, 60]);
    expect(weeks.every(({ lower }) => lower === null)).toBe(true);
  });

  it('counts no day twice once its sales are imported', () => {
    const series = seriesOf();
    series.actual[HISTORY] = 20;
    const weeks = partsOf(series, 'week');
    expect(sum(weeks.map(({ expected }) => expected ?? 0))).toBe(12 * (AHEAD - 1));
    expect(partsOf(series, 'day')[HISTORY]).toMatchObject({ sold: 20, expected: 12 });
  });

  it('states the data behind a part', () => {
    const weeks = partsOf(seriesOf(), 'week');
    expect(weeks.map(restsOn).filter(Boolean)).toEqual(['6 of 7 days known', '2 of 7 days']);
  });

  it('shows the end of the history and all days ahead', () => {
    const days = partsOf(seriesOf(), 'day');
    const shown = shownParts(days, 'day', false);
    expect(shown).toHaveLength(70 + AHEAD);
    expect(shown.at(-1)).toBe(days.at(-1));
    expect(shownParts(days, 'day', true)).toHaveLength(35 + AHEAD);
    expect(bandOf(shown, '80%', 1)?.lower.filter((value) => value !== null)).toHaveLength(AHEAD);
    expect(bandOf(partsOf(seriesOf(), 'week'), '80%', 1)).toBeUndefined();
  });

  it('marks unknown days, events and overrides', () => {
    const on = addDays(FIRST, 103);
    const series = seriesOf([override(on, on, 30)]);
    const days = partsOf(series, 'day');
    expect(signsOf(series, days, 'day').map(({ at, kind }) => [at, kind])).toEqual([
      [8, 'unknown'],
      [103, 'changed'],
      [105, 'event'],
    ]);
  });
});

describe('overrides', () => {
  const [from, to] = [addDays(FIRST, 101), addDays(FIRST, 103)];

  it('replace the forecast, the latest one counting', () => {
    const series = seriesOf([override(from, to, 30), override(to, to, 50, '2026-11-02T00:00:00Z')]);
    expect(overrideOn(series, from)).toBe(30);
    expect(overrideOn(series, to)).toBe(50);
    expect(overrideOn(series, addDays(to, 1))).toBeNull();
    expect(aheadOf(series)).toEqual({
      days: AHEAD,
      sum: 12 * (AHEAD - 3) + 30 + 30 + 50,
      from: addDays(FIRST, HISTORY),
      to: addDays(FIRST, HISTORY + AHEAD - 1),
    });
  });

  it('do not change the past', () => {
    const series = seriesOf([override(FIRST, FIRST, 999)]);
    expect(partsOf(series, 'day')).toEqual(partsOf(seriesOf(), 'day'));
    expect(
      signsOf(series, partsOf(series, 'day'), 'day').some(({ kind }) => kind === 'changed'),
    ).toBe(false);
  });
});
