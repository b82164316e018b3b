import { describe, expect, it } from 'vitest';
import type { Difference, Week } from './api';
import { differencesSay, figureWord, grouped, stateOf } from './labels';

const week = (more: Partial<Week>): Week => ({
  week: '2026-11-16',
  to: '2026-11-22',
  label: '2026-W47',
  state: 'open',
  over: true,
  madeAt: null,
  madeBy: null,
  comparedAt: null,
  frozenAt: null,
  frozenBy: null,
  rows: 0,
  stores: 0,
  differences: 0,
  varianceValue: 0,
  ...more,
});

describe('a week', () => {
  it('describes its state', () => {
    const words = (more: Partial<Week>) => stateOf(week(more)).words;
    expect(words({ state: 'notMade', over: false })).toBe('Running');
    expect(words({ state: 'notMade' })).toBe('Not made');
    expect(words({})).toBe('Open');
    expect(words({ state: 'frozen' })).toBe('Frozen');
    expect(words({ state: 'frozen', differences: 3 })).toBe('Frozen, differs');
    expect(words({ differences: 3 })).toBe('Open');
  });

  it('describes differences, and that frozen values stay', () => {
    expect(differencesSay(week({ differences: 1 }))).toBe(
      '1 figure changed when it was made last.',
    );
    expect(differencesSay(week({ state: 'frozen', differences: 2 }))).toBe(
      '2 figures would differ now. The frozen week stays as it is.',
    );
    expect(differencesSay(week({ state: 'frozen' }))).toBe('Nothing differs from what was frozen.');
  });
});

it('groups differences by root item and store, in the order of the figures', () => {
  const one = (storeId: string, figure: string): Difference => ({
    storeId,
    storeName: storeId === 's' ? 'Makati' : null,
    rootItemId: 'r',
    rootItemName: 'Rice',
    unit: 'kg',
    figure,
    was: 1,
    now: null,
  });
  const groups = grouped([one('s', 'variance'), one('s', 'received'), one('t', 'waste')]);
  expect(groups.map(({ store, figures }) => [store, figures.map(({ figure }) => figure)])).toEqual([
    ['Makati', ['received', 'variance']],
    ['t', ['waste']],
  ]);
  expect(figureWord('theoreticalUse')).toBe('Theoretical use');
});
