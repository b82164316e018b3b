// Figures have at most six decimals. They are summed in whole millionths, so that
// 0.1 + 0.2 is 0.3 on screen too.

const MILLION = 1_000_000;

export function sum(values: Iterable<number | null | undefined>): number {
  let millionths = 0;
  for (const value of values) millionths += Math.round((value ?? 0) * MILLION);
  return millionths / MILLION;
}
