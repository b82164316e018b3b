import { compare } from '#/table/filter';
import type { Sort } from '#/table/types';
import type { MatrixColumn } from './types';

/** Rows by their name or a column; missing values come last either way. */
export function sortRows<R extends { name: string }>(
  rows: readonly R[],
  sort: Sort | null,
  columns: readonly MatrixColumn<R>[],
): readonly R[] {
  if (!sort) return rows;
  const value =
    sort.by === 'name' ? ({ name }: R) => name : columns.find(({ id }) => id === sort.by)?.value;
  if (!value) return rows;
  const way = sort.down ? -1 : 1;
  return rows.toSorted((a, b) => {
    const [x, y] = [value(a), value(b)];
    if (x == null || y == null) return Number(x == null) - Number(y == null);
    return way * compare(x, y);
  });
}

/** Figures descending first, names ascending; then reversed; then the report's own order. */
export function nextSort(sort: Sort | null, by: string, text: boolean): Sort | null {
  if (sort?.by !== by) return { by, down: !text };
  return sort.down === !text ? { by, down: text } : null;
}
