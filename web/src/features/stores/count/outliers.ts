// What is looked at twice before a count is finished.
import { qty, shortDay } from '#/ui/format';
import type { CountRow } from './drawn';
import type { Item } from './types';

const FACTOR = 3;
/** A handful more or less is no news, whatever the share. */
const LEAST = 5;

export interface Outlier {
  item: Item;
  row: CountRow;
  /** «yesterday 12, now 120?» */
  says: string;
}

export function isOutlier(before: number, now: number, factor: number): boolean {
  const [small, big] = [Math.min(before, now), Math.max(before, now)];
  return big - small >= LEAST && small * factor <= big;
}

export function outliersOf(
  items: readonly Item[],
  rowOf: (id: string) => CountRow,
  options: { factor?: number | null; yesterday: string },
): Outlier[] {
  const factor = options.factor && options.factor > 1 ? options.factor : FACTOR;
  return items.flatMap((item) => {
    const row = rowOf(item.id);
    const before = row.previous;
    if (!row.counted || row.qty === null || !before) return [];
    if (!isOutlier(before.qty, row.qty, factor)) return [];
    const when = before.date === options.yesterday ? 'yesterday' : shortDay(before.date);
    return [{ item, row, says: `${when} ${qty(before.qty)}, now ${qty(row.qty)}?` }];
  });
}
