import { type RefObject, useLayoutEffect, useRef } from 'react';
import { recentChanges } from '#/api/live';
import type { GridRow } from './Grid';

/**
 * Keeps the scroll position stable when other users' changes add or remove rows above: anchored at the current row if
 * it is visible, else at the first one. The user's own sorting and filtering do not count.
 */
export function useScrollAnchor<T>(
  scroll: RefObject<HTMLElement | null>,
  rows: readonly GridRow<T>[],
  height: number,
  at: string | null,
): void {
  const before = useRef(rows);
  useLayoutEffect(() => {
    const old = before.current;
    before.current = rows;
    const place = scroll.current;
    if (!place || old === rows || place.scrollTop === 0 || recentChanges().size === 0) return;
    const top = place.scrollTop;
    const first = Math.ceil(top / height);
    const end = Math.floor((top + place.clientHeight) / height);
    const own = at === null ? -1 : old.findIndex(({ key }) => key === at);
    // The nearest following row that still exists.
    const looked = own >= first && own < end ? own : first;
    for (let i = looked; i < Math.min(end, old.length); i += 1) {
      const now = rows.findIndex(({ key }) => key === old[i]?.key);
      if (now < 0) continue;
      if (now !== i) place.scrollTop = top + (now - i) * height;
      return;
    }
  }, [scroll, rows, height, at]);
}
