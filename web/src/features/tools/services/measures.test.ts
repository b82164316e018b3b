import { describe, expect, it } from 'vitest';
import { evidence, factorLabel, factorOf } from './factors';
import type { ForecastEvent, Series } from './forecastApi';
import {
  againstLastWeek,
  amountOf,
  heldLabel,
  leanADay,
  leanLabel,
  methodLabel,
  near,
  offLabel,
  trialLabel,
  whyLabel,
} from './measures';

describe('errors in plain words', () => {
  it('state their size and direction', () => {
    expect(offLabel(0.213)).toBe('Off by 21.3% of what was sold');
    expect(offLabel(null)).toBe('Nothing was sold to compare with');
    expect([0.05, -0.05, 0.001, null].map(leanLabel)).toEqual([
      '5.0% too high',
      '5.0% too low',
      'Even',
      '',
    ]);
    expect(leanADay(4.7, 226, 'pc')).toBe('4.7 pc a day too high');
    expect(leanADay(-0.001, 226, 'pc')).toBe('Even');
    expect(leanADay(-0.5, null, null)).toBe('0.5 a day too low');
  });

  it('compare with last week and with the interval', () => {
    expect(againstLastWeek(0.71)).toBe('29% closer than repeating last week');
    expect(againstLastWeek(1.38)).toBe('38% further off than repeating last week');
    expect(againstLastWeek(1)).toBe('as good as repeating last week');
    expect(heldLabel(0.77, 0.8)).toBe('77% of days were within the interval meant for 80%');
    expect(trialLabel(null, 0.8)).toBe('Too little was sold to tell how good it is.');
    expect(trialLabel({ wape: 0.093, origins: 12 }, 0.8)).toBe(
      'In 12 trials on past days it was off by 9.3% of what was sold.',
    );
  });

  it('round to useful precision', () => {
    expect([1234.56, 45.67, 1.2345, -0.004, null].map(near)).toEqual([1235, 45.7, 1.23, -0, null]);
    expect(amountOf(12.34, 'kg')).toBe('12.3 kg');
    expect(amountOf(null, 'kg')).toBe('–');
  });
});

describe('methods', () => {
  it('have plain names', () => {
    expect(
      ['sma28', 'dow_ma', 'dow_ma4', 'ets_ANA', 'ses_0.3', 'tsb_0.1_0.1', 'dotm', 'mstl'].map(
        methodLabel,
      ),
    ).toEqual([
      'Average of 28 days',
      'Weekday average',
      'Weekday average of 4 weeks',
      'Smoothing with weekdays',
      'Simple smoothing',
      'Chance and size of a sale',
      'Theta',
      'Trend and weekdays apart',
    ]);
    expect(methodLabel('')).toBe('–');
    expect(methodLabel('something_new')).toBe('something_new');
  });

  it('explain why they were chosen', () => {
    const series = {
      klass: 'smooth',
      method: 'combined',
      candidates: [
        { method: 'combined', wape: 0.1 },
        { method: 'snaive', wape: 0.2 },
      ],
    } as unknown as Series;
    expect(whyLabel(series)).toContain('is the usual method for such items');
    expect(whyLabel({ ...series, method: 'snaive' })).toContain('than the usual');
    expect(
      whyLabel({
        ...series,
        method: 'snaive',
        candidates: [
          { method: 'combined', wape: 0.2 },
          { method: 'snaive', wape: 0.15 },
        ],
      }),
    ).toContain('Last week repeated was 25% closer than the usual mean of several methods.');
    expect(whyLabel({ ...series, method: '', note: 'Not enough history: 2 of 7 days' })).toBe(
      'Not enough history: 2 of 7 days',
    );
  });
});

describe('factors', () => {
  const event = {
    kind: 'payday',
    factor: null,
    learned: { factor: 1.12, days: 11, actual: 134, base: 100 },
  } as unknown as ForecastEvent;

  it('are described as more or less', () => {
    expect([1.34, 0.5, 1.001, 0, null].map(factorLabel)).toEqual([
      '34% more',
      '50% less',
      'as usual',
      'nothing',
      'not known yet',
    ]);
  });

  it('prefer hand-set to learned, and are zero on closed days', () => {
    expect(factorOf(event)).toBe(1.12);
    expect(factorOf({ ...event, factor: 2 })).toBe(2);
    expect(factorOf({ ...event, kind: 'closure', factor: 2 })).toBe(0);
    expect(factorOf({ ...event, learned: null })).toBeNull();
  });

  it('show their evidence', () => {
    expect(evidence(event)).toBe('Seen +34% on only 11 days.');
    expect(evidence({ ...event, learned: null })).toContain('nothing was learned');
  });
});
