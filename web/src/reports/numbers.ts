import { sum } from '#/ui/sums';

/** 0.1 is 10% more; null without a base. */
export function changeOf(now: number, before: number): number | null {
  return before === 0 ? null : (now - before) / Math.abs(before);
}

/** Null without a whole. */
export function shareOf(part: number, whole: number): number | null {
  return whole === 0 ? null : part / whole;
}

/** The sums of `columns` columns. */
export function columnSums(
  rows: readonly (readonly (number | null)[])[],
  columns: number,
): number[] {
  return Array.from({ length: columns }, (_, at) => sum(rows.map((row) => row[at])));
}

/** The index of the highest value; −1 for an empty list. */
export function highest(values: readonly number[]): number {
  return values.reduce(
    (best, value, at) => (best < 0 || value > (values[best] ?? 0) ? at : best),
    -1,
  );
}

/** The largest `most` by value, and the sum of all others as one. */
export function leaders<T>(
  rows: readonly T[],
  most: number,
  by: (row: T) => number,
): { top: T[]; rest: T[] } {
  const sorted = rows.toSorted((a, b) => by(b) - by(a));
  // A rest of one would only hide its name.
  const cut = sorted.length <= most + 1 ? sorted.length : most;
  return { top: sorted.slice(0, cut), rest: sorted.slice(cut) };
}
