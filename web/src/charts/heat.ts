/** The quantiles of non-empty cells at which the next shade begins. */
const QUANTILES = [0, 0.2, 0.45, 0.7, 0.9];

/**
 * The thresholds of the shades. They follow ranks, not amounts: a few huge cells would leave all others in one shade.
 */
export function heatSteps(rows: readonly (readonly number[])[]): number[] {
  const some = rows.flatMap((row) => row.filter((value) => value > 0)).sort((a, b) => a - b);
  return QUANTILES.map(
    (share) => some[Math.floor(share * some.length)] ?? Number.POSITIVE_INFINITY,
  );
}

/** 0 for nothing, then 1 to 5. */
export function heatLevel(value: number, steps: readonly number[]): number {
  let level = 0;
  while (level < steps.length && value > 0 && value >= (steps[level] ?? 0)) level += 1;
  return level;
}
