import { expect, test } from 'vitest';
import { splitsOf, sumOf } from './splits';

test('adds up tenths', () => {
  expect(sumOf([{ percent: 33.3 }, { percent: 33.3 }, { percent: 33.4 }])).toBe(100);
  expect(sumOf([])).toBe(0);
});

test('counts invalid numbers as zero, and drops rows without a recipe', () => {
  expect(
    splitsOf([
      { key: 1, recipeId: 'r1', percent: '12,5' },
      { key: 2, recipeId: 'r2', percent: 'half' },
      { key: 3, recipeId: '', percent: '50' },
    ]),
  ).toEqual([
    { recipeId: 'r1', percent: 12.5 },
    { recipeId: 'r2', percent: 0 },
  ]);
});
