import { describe, expect, it } from 'vitest';
import type { StoreOfDay, StoresOfDay } from './api';
import { toneOf, wordsOf } from './StoreMap';

const store: StoreOfDay = { id: 's1', name: 'Cubao' };
const map: StoresOfDay = {
  day: '2026-11-26',
  withSales: true,
  withCounts: true,
  salesDue: 1,
  salesMissing: 1,
  salesLate: false,
  countsDue: 1,
  countsMissing: 0,
  stores: [store],
};

describe('the stores of a day', () => {
  it('are not late before their time is over', () => {
    expect(toneOf(store, map)).toBe('neutral');
    expect(wordsOf(map)).toBe('Sales of 1 store are not in yet, no count is missing');
  });

  it('are red once it is', () => {
    const late = { ...map, salesLate: true };
    expect(toneOf(store, late)).toBe('danger');
    expect(wordsOf(late)).toBe('Sales of 1 store are missing, no count is missing');
  });

  it('warn of a late count, sales or not', () => {
    expect(toneOf({ ...store, counted: 'late' }, map)).toBe('warn');
    expect(toneOf({ ...store, counted: 'missing' }, map)).toBe('danger');
  });
});
