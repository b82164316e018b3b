import { useMemo } from 'react';
import type { GridGroup } from './types';

/** A row with its place, or the heading of a group with how many rows are in it. */
type Item<Row> = { group: GridGroup; count: number } | { row: Row; at: number };

/** The rows below the headings of their groups, and where each row is among them. */
export function useItems<Row>(rows: readonly Row[], groupOf?: (row: Row) => GridGroup) {
  const items = useMemo(() => {
    const list: Item<Row>[] = [];
    let open = '';
    rows.forEach((row, at) => {
      const group = groupOf?.(row);
      if (group && group.id !== open) {
        open = group.id;
        const count = rows.filter((other) => groupOf?.(other).id === group.id).length;
        list.push({ group, count });
      }
      list.push({ row, at });
    });
    return list;
  }, [rows, groupOf]);
  const itemOf = useMemo(() => {
    const places: number[] = [];
    items.forEach((item, i) => {
      if ('row' in item) places[item.at] = i;
    });
    return places;
  }, [items]);

  return { items, itemOf };
}
