import { expect, it } from 'vitest';
import { costOf } from './rootPrices';

const prices = new Map([
  ['patty', 310.5],
  ['bun', 8],
  ['sauce', null],
]);

it("adds up the lines' cost, each to the centavo", () => {
  const lines = [
    { root: 'patty', amount: '0,08' },
    { root: 'bun', amount: '1' },
    { root: null, amount: '3' },
    { root: 'bun', amount: '' },
  ];
  expect(costOf(lines, prices)).toEqual({ centavos: 3284n, missing: [], lines: 2 });
});

it('names items without a price', () => {
  expect(costOf([{ root: 'sauce', amount: '0.02' }], prices).missing).toEqual(['sauce']);
});
