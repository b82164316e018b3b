import { type RefObject, useEffect, useLayoutEffect, useRef } from 'react';
import { useNavigationType } from 'react-router';
import type { GridHandle, GridRow } from './Grid';

/** The row that each table was left from. */
const left = new Map<string, string>();

/** After a drawer has slid away and given the keyboard back, if it did. */
const AFTER_MS = 300;

const lost = () => {
  const { activeElement, body } = document;
  return !activeElement || activeElement === body;
};

/** Whoever opens a record and comes back stands on its row again: from its drawer, or from its page. */
export function useReturn<T>(
  id: string,
  rows: readonly GridRow<T>[],
  grid: RefObject<GridHandle | null>,
  open: string,
): void {
  const latest = useRef(rows);
  latest.current = rows;
  const was = useRef(open);
  const back = useNavigationType() === 'POP';

  useEffect(() => {
    const closed = was.current !== '' && open === '';
    was.current = open;
    if (!closed) return;
    const timer = setTimeout(() => {
      const at = grid.current?.at() ?? -1;
      if (lost() && at >= 0) grid.current?.go(at);
    }, AFTER_MS);
    return () => clearTimeout(timer);
  }, [open, grid]);

  // The grid is still there when its table is taken down.
  useLayoutEffect(
    () => () => {
      const key = latest.current[grid.current?.at() ?? -1]?.key;
      if (key) left.set(id, key);
      else left.delete(id);
    },
    [id, grid],
  );

  useEffect(() => {
    const key = left.get(id);
    if (!key || rows.length === 0) return;
    if (!back || !lost()) {
      left.delete(id);
      return;
    }
    const at = rows.findIndex((row) => row.key === key);
    if (at < 0) return;
    left.delete(id);
    grid.current?.go(at);
  }, [id, rows, grid, back]);
}
