import { describe, expect, it } from 'vitest';
import { askOf, readAsked } from './ask';
import { forecasts } from './define';

const reader = (text: string) => {
  const search = new URLSearchParams(text);
  return (name: string) => search.get(name) ?? '';
};

describe('run parameters', () => {
  it('leave defaults to the service', () => {
    for (const def of Object.values(forecasts)) {
      expect(askOf(def, readAsked(def, reader('')))).toEqual({});
    }
  });

  it('are stored in the address', () => {
    const def = forecasts.dailyMovingAverage;
    const text = 'stores=a,b&items=x&from=2026-01-01&to=2026-10-31&method=dow_ma4&horizon=28';
    expect(askOf(def, readAsked(def, reader(text)))).toEqual({
      storeIds: ['a', 'b'],
      itemIds: ['x'],
      from: '2026-01-01',
      to: '2026-10-31',
      method: 'dow_ma4',
      horizon: 28,
    });
  });

  it('replace invalid values with defaults', () => {
    const def = forecasts.movingAverage;
    const text = 'stores=,&from=2026-02-31&to=x&method=dotm&horizon=-3';
    expect(askOf(def, readAsked(def, reader(text)))).toEqual({});
    expect(askOf(def, readAsked(def, reader('from=2026-03-02&to=2026-03-01')))).toEqual({});
  });
});
