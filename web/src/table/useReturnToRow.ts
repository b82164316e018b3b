import { type RefObject, useEffect, useLayoutEffect, useRef } from 'react';
import { useNavigationType } from 'react-router';
import type { GridHandle, GridRow } from './Grid';

/** The row from which each table was left, by table id. */
const leftRows = new Map<string, string>();

/** After the drawer's transition and its own return of focus. */
const AFTER_MS = 300;

const hasNoFocus = () => {
  const { activeElement, body } = document;
  return !activeElement || activeElement === body;
};

/** Returns focus to a record's row when its drawer or page is left. */
export function useReturnToRow<T>(
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
      if (hasNoFocus() && at >= 0) grid.current?.go(at);
    }, AFTER_MS);
    return () => clearTimeout(timer);
  }, [open, grid]);

  // A layout effect, since the grid still exists when it is cleaned up.
  useLayoutEffect(
    () => () => {
      const key = latest.current[grid.current?.at() ?? -1]?.key;
      if (key) leftRows.set(id, key);
      else leftRows.delete(id);
    },
    [id, grid],
  );

  useEffect(() => {
    const key = leftRows.get(id);
    if (!key || rows.length === 0) return;
    if (!back || !hasNoFocus()) {
      leftRows.delete(id);
      return;
    }
    const at = rows.findIndex((row) => row.key === key);
    if (at < 0) return;
    leftRows.delete(id);
    grid.current?.go(at);
  }, [id, rows, grid, back]);
}
