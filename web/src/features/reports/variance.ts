// What the variances of some rows are worth, in words: unknown is not zero.
import { money } from '#/ui/format';
import { sum } from '#/ui/sums';

/** The value of some variances, in pesos; none where none of them has a value. */
export interface VarianceValues {
  /** What is missing, below zero. */
  loss?: number | null;
  /** What is more than expected. */
  gain?: number | null;
  net?: number | null;
}

/** A row whose variance, or its value, may be unknown. */
export interface Varied {
  variance?: number | null;
  varianceValue?: number | null;
}

/** Why the net of a report's variances has no value, by its rows; null if it has one. */
export function unvalued(net: number | null | undefined, rows: readonly Varied[]): string | null {
  if (net != null) return null;
  const counted = rows.some(({ variance }) => variance != null);
  return counted ? 'nothing that was counted has a price' : 'nothing counted';
}

/** The value of the variances of some rows, in pesos; null if none has one. */
export const netOf = (rows: readonly Varied[]): number | null =>
  rows.every(({ varianceValue }) => varianceValue == null)
    ? null
    : sum(rows.map(({ varianceValue }) => varianceValue));

/** «−₱300.00 missing · ₱55.00 more than expected · −₱245.00 net» */
export function valuesSaid({ loss, gain, net }: VarianceValues, rows: readonly Varied[]): string {
  return (
    unvalued(net, rows) ??
    `${money(loss)} missing · ${money(gain)} more than expected · ${money(net)} net`
  );
}
