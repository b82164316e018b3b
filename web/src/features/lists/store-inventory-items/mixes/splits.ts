import { parseDecimal } from '#/ui/format';
import type { Split } from '../api';

/** What the splits of an item should come to. */
export const WHOLE = 100;

const MILLION = 1_000_000;

/** The sum of the percentages, without the noise of binary fractions. */
export function sumOf(splits: readonly Pick<Split, 'percent'>[]): number {
  return splits.reduce((sum, { percent }) => sum + Math.round(percent * MILLION), 0) / MILLION;
}

export interface SplitInput {
  key: number;
  recipeId: string;
  percent: string;
}

/** What was typed as splits: rows without a recipe are left out, what is no number counts as 0. */
export function splitsOf(rows: readonly SplitInput[]): Split[] {
  return rows.flatMap(({ recipeId, percent }) =>
    recipeId ? [{ recipeId, percent: parseDecimal(percent) ?? 0 }] : [],
  );
}
