import { describe, expect, test } from 'vitest';
import type { BoughtTogether, HourCell } from './api';
import { busiest, changeOf, hoursOf, meaning, sureness } from './labels';
import { againstOf } from './question';

const pair: BoughtTogether = {
  items: [
    { id: 'a', name: 'Tapsilog', confidence: 0.2 },
    { id: 'b', name: 'Barako', confidence: 0.41 },
  ],
  count: 120,
  support: 0.02,
  lift: 2.31,
};

const cell = (weekday: number, hour: number, anHour: number): HourCell => ({
  weekday,
  hour,
  anHour,
  tickets: anHour * 2,
  net: 0,
  openHours: 2,
});

describe('insight texts', () => {
  test('describe a pair in a sentence', () => {
    expect(meaning(pair)).toBe('People who buy Tapsilog buy Barako 2.3 times as often as others.');
    expect(sureness(pair)).toEqual([
      'Of tickets with Barako, 20.0% have Tapsilog too.',
      'Of tickets with Tapsilog, 41.0% have Barako too.',
    ]);
  });

  test('need a base for changes', () => {
    expect(changeOf(12, 10)).toBeCloseTo(0.2);
    expect(changeOf(12, 0)).toBeNull();
    expect(changeOf(null, 4)).toBeNull();
  });

  test('order hours from morning past midnight', () => {
    const cells = [cell(1, 22, 1), cell(1, 1, 1), cell(2, 21, 4)];
    expect(hoursOf(cells, 21)).toEqual([21, 22, 23, 0, 1]);
    expect(hoursOf([cell(1, 1, 1), cell(1, 3, 1)], 0)).toEqual([1, 2, 3]);
    expect(busiest([cell(1, 22, 1), cell(2, 21, 4)])).toBe(
      'Busiest: Tue 21:00, 4 tickets an open hour (8 in all).',
    );
  });

  test('derive the comparison range from the range', () => {
    const range = { from: '2026-11-09', to: '2026-11-15' };
    const get = (values: Record<string, string>) => (name: string) => values[name] ?? '';
    expect(againstOf(get({}), range)).toBeNull();
    expect(againstOf(get({ against: 'before' }), range)).toEqual({
      from: '2026-11-02',
      to: '2026-11-08',
    });
    expect(againstOf(get({ against: 'year' }), range)?.from).toBe('2025-11-10');
    const own = { against: 'own', since: '2026-01-01', until: '2026-01-31' };
    expect(againstOf(get(own), range)).toEqual({ from: '2026-01-01', to: '2026-01-31' });
  });
});
