import { useMemo, useRef } from 'react';
import type { GridRow } from './Grid';

/**
 * While `hold` is true, keeps the rows and their order: other users' changes update rows in place,
 * and rows appear, disappear or move only afterwards.
 */
export function useFrozenRows<T>(
  rows: readonly GridRow<T>[],
  hold: boolean,
): readonly GridRow<T>[] {
  const before = useRef<readonly GridRow<T>[]>([]);
  const order = useRef<readonly GridRow<T>[] | null>(null);
  if (!hold) order.current = null;
  // Rows must have loaded before they can be frozen.
  else if (!order.current?.length) order.current = before.current.length ? before.current : rows;
  before.current = rows;
  const held = order.current;
  return useMemo(() => (held ? keepPlaces(held, rows) : rows), [held, rows]);
}

/** The newer records in the older order. */
export function keepPlaces<T>(
  held: readonly GridRow<T>[],
  rows: readonly GridRow<T>[],
): readonly GridRow<T>[] {
  const known = new Map(rows.map((row) => [row.key, row]));
  const places = new Set(held.map(({ key }) => key));
  return held.map((slot, i) => {
    const newer = known.get(slot.key);
    if (newer) return newer;
    // A placeholder is filled by the row that loaded at its position.
    const here = rows[i];
    return !slot.row && here && !places.has(here.key) ? here : slot;
  });
}
