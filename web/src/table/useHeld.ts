import { useMemo, useRef } from 'react';
import type { GridRow } from './Grid';

/**
 * The rows as they stood when somebody began to edit one of them: what others change is seen in its
 * place, and only afterwards do rows come, go and change places.
 */
export function useHeld<T>(rows: readonly GridRow<T>[], hold: boolean): readonly GridRow<T>[] {
  const before = useRef<readonly GridRow<T>[]>([]);
  const order = useRef<readonly GridRow<T>[] | null>(null);
  if (!hold) order.current = null;
  // Nothing can be held before there is something.
  else if (!order.current?.length) order.current = before.current.length ? before.current : rows;
  before.current = rows;
  const held = order.current;
  return useMemo(() => (held ? inOrder(held, rows) : rows), [held, rows]);
}

/** The newer records at the places of the older ones. */
export function inOrder<T>(
  held: readonly GridRow<T>[],
  rows: readonly GridRow<T>[],
): readonly GridRow<T>[] {
  const known = new Map(rows.map((row) => [row.key, row]));
  const places = new Set(held.map(({ key }) => key));
  return held.map((slot, i) => {
    const newer = known.get(slot.key);
    if (newer) return newer;
    // What was still on its way comes in where it is.
    const here = rows[i];
    return !slot.row && here && !places.has(here.key) ? here : slot;
  });
}
