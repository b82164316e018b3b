import { type RefObject, useLayoutEffect, useRef } from 'react';
import { changedLately } from '#/api/live';
import type { GridRow } from './Grid';

/**
 * Keeps what is looked at where it is while rows come and go above it: the row the keyboard is on if
 * it is in sight, else the first one. Only for changes that come from elsewhere; whoever sorts or
 * filters wants the rows to move.
 */
export function useSteady<T>(
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
    if (!place || old === rows || place.scrollTop === 0 || changedLately().size === 0) return;
    const top = place.scrollTop;
    const first = Math.ceil(top / height);
    const end = Math.floor((top + place.clientHeight) / height);
    const own = at === null ? -1 : old.findIndex(({ key }) => key === at);
    // The row that stayed nearest to where the eye is.
    const looked = own >= first && own < end ? own : first;
    for (let i = looked; i < Math.min(end, old.length); i += 1) {
      const now = rows.findIndex(({ key }) => key === old[i]?.key);
      if (now < 0) continue;
      if (now !== i) place.scrollTop = top + (now - i) * height;
      return;
    }
  }, [scroll, rows, height, at]);
}
