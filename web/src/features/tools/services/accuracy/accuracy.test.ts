import { describe, expect, it } from 'vitest';
import { largestMisses, signsOf } from './misses';
import { queryOf, readAccuracy } from './question';
import { judgedLabel } from './SeriesView';

const reader = (text: string) => {
  const search = new URLSearchParams(text);
  return (name: string) => search.get(name) ?? '';
};

describe('accuracy parameters', () => {
  it('are stored in the address', () => {
    const text =
      'by=method&horizon=8-14&store=s&item=i&method=dotm&service=advanced-forecast&from=2026-10-01&to=2026-10-31';
    expect(queryOf(readAccuracy(reader(text)))).toEqual({
      by: 'method',
      horizon: '8-14',
      storeId: 's',
      rootItemId: 'i',
      method: 'dotm',
      service: 'advanced-forecast',
      from: '2026-10-01',
      to: '2026-10-31',
    });
  });

  it('default to the usual if the address is invalid', () => {
    expect(readAccuracy(reader('by=x&horizon=3&from=2026-13-01&to=2026-10-31'))).toMatchObject({
      by: 'series',
      horizon: 'all',
      from: '',
      to: '',
    });
  });
});

describe('single days', () => {
  const series = {
    dates: ['2026-11-01', '2026-11-02', '2026-11-03', '2026-11-04'],
    actual: [10, null, 20, 5],
    forecast: [12, 9, 8, 5],
    method: ['combined', 'combined', 'override', ''],
  };

  it('are sorted by the size of the miss', () => {
    expect(largestMisses(series, 5)).toEqual([
      { date: '2026-11-03', sold: 20, said: 8, missed: -12 },
      { date: '2026-11-01', sold: 10, said: 12, missed: 2 },
    ]);
    expect(largestMisses(series, 1)).toHaveLength(1);
  });

  it('are marked if unknown or overridden', () => {
    expect(signsOf(series).map(({ at, kind }) => [at, kind])).toEqual([
      [1, 'unknown'],
      [2, 'changed'],
    ]);
  });
});

it('describes a row in sentences', () => {
  const row = { horizon: 'all', days: 67, actual: 10, forecast: 13 };
  expect(judgedLabel({ ...row, wape: 0.739, bias: 0.314, mase: 0.95, coverage: 0.79 })).toBe(
    'Off by 73.9% of what was sold, 31.4% too high, over 67 days. That is 5% closer than repeating last week. 79% of days were within the interval meant for 80%.',
  );
  expect(judgedLabel({ ...row, days: 1, wape: null, bias: null })).toBe(
    'Nothing was sold to compare with, over 1 day.',
  );
});
