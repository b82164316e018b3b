import { describe, expect, it } from 'vitest';
import type { Coverage, CoverageDay } from '../forecastApi';
import {
  coverageLabel,
  type DayState,
  dayLabel,
  hasGaps,
  percentLabel,
  type StoreDays,
  tally,
  targetOf,
  worstFirst,
} from './coverage';

const day = (
  state: DayState,
  lines = state === 'missing' || state === 'closed' ? 0 : 3,
): CoverageDay => ({
  state,
  lines,
  net: lines * 100,
  why: state === 'partial' ? 'Till 02 is missing.' : null,
});

const store = (storeId: string, states: readonly DayState[]): StoreDays => {
  const complete = states.filter((state) => state === 'complete').length;
  const expected = states.filter((state) => state !== 'closed').length;
  return {
    storeId,
    days: states.map((state) => day(state)),
    complete,
    expected,
    percent: expected ? (complete * 100) / expected : null,
  };
};

const stores = [
  store('a', ['complete', 'complete', 'closed']),
  store('b', ['complete', 'missing', 'partial']),
  store('c', ['complete', 'complete', 'mismatch']),
];

describe('coverage', () => {
  it('counts days by state', () => {
    expect(tally(stores)).toEqual({ complete: 5, partial: 1, missing: 1, mismatch: 1, closed: 1 });
  });

  it('puts stores with the most gaps first, and knows which have any', () => {
    expect(worstFirst(stores, (id) => id).map(({ storeId }) => storeId)).toEqual(['b', 'c', 'a']);
    expect(stores.map(hasGaps)).toEqual([false, true, true]);
  });

  it('never rounds up to 100%', () => {
    expect([100, 99.99, 97.913, 0, null].map(percentLabel)).toEqual([
      '100%',
      '99.9%',
      '97.9%',
      '0%',
      '–',
    ]);
  });

  it('is described in a sentence', () => {
    const coverage: Coverage = { dates: [], stores, percent: 62.5 };
    expect(coverageLabel(coverage)).toBe(
      '62.5% of store days are complete; 1 store day missing, 1 store day partial, 1 store day not as the Z-reading.',
    );
    expect(coverageLabel({ ...coverage, stores: [stores[0] as StoreDays], percent: 100 })).toBe(
      '100% of store days are complete.',
    );
  });

  it("explains a day's state and links to its page", () => {
    expect(dayLabel(day('partial'), '2026-11-12')).toBe(
      '12 Nov 2026: Partial, 3 lines, ₱300.00. Till 02 is missing.',
    );
    expect(targetOf('s', '2026-11-12', day('partial'))).toBe(
      '/tools/import-sales-product/import/s/2026/11/12',
    );
    expect(targetOf('s', '2026-11-12', day('missing'))).toBe(
      '/tools/import-sales-product?storeIds=s&from=2026-11-12&to=2026-11-12',
    );
    expect(targetOf('s', '2026-11-12', day('closed'))).toBeNull();
  });
});
