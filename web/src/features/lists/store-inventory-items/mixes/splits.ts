import { numberOf } from '#/ui/numberInput';
import { sum } from '#/ui/sums';
import type { Split } from '../api';

/** What the splits of an item should come to. */
export const TOTAL_PERCENT = 100;

/** The sum of the percentages. */
export const sumOf = (splits: readonly Pick<Split, 'percent'>[]): number =>
  sum(splits.map(({ percent }) => percent));

export interface SplitInput {
  key: number;
  recipeId: string;
  percent: string;
}

/** What was typed as splits: rows without a recipe are left out, what is no number counts as 0. */
export function splitsOf(rows: readonly SplitInput[]): Split[] {
  return rows.flatMap(({ recipeId, percent }) =>
    recipeId ? [{ recipeId, percent: numberOf(percent, 'percent') ?? 0 }] : [],
  );
}
