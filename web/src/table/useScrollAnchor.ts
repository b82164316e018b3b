import { type RefObject, useLayoutEffect, useRef } from 'react';
import { recentChanges } from '#/api/live';
import type { GridRow } from './Grid';

/**
 * Keeps the scroll position stable when other users' changes add or remove rows above: anchored at the current row if
 * it is visible, else at the first one. The user's own sorting and filtering do not count. `heightOf` is of a row's key.
 */
export function useScrollAnchor<T>(
  scroll: RefObject<HTMLElement | null>,
  rows: readonly GridRow<T>[],
  heightOf: (key: string) => number,
  at: string | null,
): void {
  const before = useRef(rows);
  useLayoutEffect(() => {
    const old = before.current;
    before.current = rows;
    const place = scroll.current;
    if (!place || old === rows || place.scrollTop === 0 || recentChanges().size === 0) return;
    const top = place.scrollTop;
    const starts = startsOf(old, heightOf);
    const first = starts.findIndex((start) => start >= top);
    const beyond = starts.findIndex((start) => start > top + place.clientHeight);
    // The last row that starts in sight need not end there.
    const end = (beyond < 0 ? starts.length : beyond) - 1;
    const own = at === null ? -1 : old.findIndex(({ key }) => key === at);
    // The nearest following row that still exists.
    const looked = own >= first && own < end ? own : first;
    for (let i = looked; i >= 0 && i < Math.min(end, old.length); i += 1) {
      const now = rows.findIndex(({ key }) => key === old[i]?.key);
      if (now < 0) continue;
      const moved = (startsOf(rows, heightOf)[now] ?? 0) - (starts[i] ?? 0);
      if (moved !== 0) place.scrollTop = top + moved;
      return;
    }
  });
}

/** Where each row starts, and where the last one ends. */
function startsOf<T>(rows: readonly GridRow<T>[], heightOf: (key: string) => number): number[] {
  const starts = [0];
  for (const { key } of rows) starts.push((starts.at(-1) ?? 0) + heightOf(key));
  return starts;
}
