import { numberOf } from '#/ui/numberInput';
import { sum } from '#/ui/sums';
import type { Split } from '../api';

/** The required sum of an item's splits. */
export const TOTAL_PERCENT = 100;

/** The sum of the percentages. */
export const sumOf = (splits: readonly Pick<Split, 'percent'>[]): number =>
  sum(splits.map(({ percent }) => percent));

export interface SplitInput {
  key: number;
  recipeId: string;
  percent: string;
}

/** Typed splits: rows without a recipe are dropped, invalid numbers count as 0. */
export function splitsOf(rows: readonly SplitInput[]): Split[] {
  return rows.flatMap(({ recipeId, percent }) =>
    recipeId ? [{ recipeId, percent: numberOf(percent, 'percent') ?? 0 }] : [],
  );
}
