/** The least factor at which numbers and dates still fit their columns. */
export const LEAST = 0.93;

/**
 * The factor of the columns' widths in a place of `width` px: a table that misses it by a little is squeezed, so that
 * its last column is not cut off; a much wider one keeps its widths and scrolls. `least` is the width of the whole
 * table, of which `fixed` never shrinks.
 */
export function squeeze(least: number, fixed: number, width: number): number {
  if (width <= fixed || least <= width) return 1;
  const scale = (width - fixed) / (least - fixed);
  return scale >= LEAST ? scale : 1;
}
