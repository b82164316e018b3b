// What the variances of some rows are worth, in words: unknown is not zero.
import { money } from '#/ui/format';

/** The value of some variances, in pesos. */
export interface VarianceValues {
  /** What is missing, below zero. */
  loss: number;
  /** What is more than expected. */
  gain: number;
  net: number;
}

/** A row whose variance, or its value, may be unknown. */
export interface Varied {
  variance?: number | null;
  varianceValue?: number | null;
}

/**
 * Why the variances of a report have no value; null if any has one. `total` is the number of rows
 * on all pages: while some of them are not here, it cannot be told.
 */
export function unvalued(rows: readonly Varied[], total: number): string | null {
  if (rows.length < total || rows.some(({ varianceValue }) => varianceValue != null)) return null;
  const counted = rows.some(({ variance }) => variance != null);
  return counted ? 'nothing that was counted has a price' : 'nothing counted';
}

/** «−₱300.00 missing · ₱55.00 more than expected · −₱245.00 net» */
export function valuesSaid(
  { loss, gain, net }: VarianceValues,
  rows: readonly Varied[],
  total: number,
): string {
  return (
    unvalued(rows, total) ??
    `${money(loss)} missing · ${money(gain)} more than expected · ${money(net)} net`
  );
}
