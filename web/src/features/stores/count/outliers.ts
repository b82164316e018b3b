// Counts that differ so much from the previous one that they must be confirmed.
import { qty, shortDay } from '#/ui/format';
import type { CountRow } from './rows';
import type { Item } from './types';

const DEFAULT_FACTOR = 3;
/** Smaller differences are never outliers, whatever their factor. */
const MIN_DIFFERENCE = 5;

export interface Outlier {
  item: Item;
  row: CountRow;
  /** «yesterday 12, now 120?» */
  question: string;
}

export function isOutlier(before: number, now: number, factor: number): boolean {
  const [small, big] = [Math.min(before, now), Math.max(before, now)];
  return big - small >= MIN_DIFFERENCE && small * factor <= big;
}

export function outliersOf(
  items: readonly Item[],
  rowOf: (id: string) => CountRow,
  options: { factor?: number | null; yesterday: string },
): Outlier[] {
  const factor = options.factor && options.factor > 1 ? options.factor : DEFAULT_FACTOR;
  return items.flatMap((item) => {
    const row = rowOf(item.id);
    const before = row.previous;
    if (!row.counted || row.qty === null || !before) return [];
    if (!isOutlier(before.qty, row.qty, factor)) return [];
    const when = before.date === options.yesterday ? 'yesterday' : shortDay(before.date);
    return [{ item, row, question: `${when} ${qty(before.qty)}, now ${qty(row.qty)}?` }];
  });
}
