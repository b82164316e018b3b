import { type RefObject, useCallback, useEffect } from 'react';
import type { CountModel } from './countModel';
import type { Cursor } from './cursor';
import { type ItemFilter, neighbourOf } from './itemOrder';

interface Parts {
  list: RefObject<HTMLDivElement | null>;
  dock: RefObject<HTMLDivElement | null>;
  latestFilter: RefObject<ItemFilter>;
}

/** Scrolls an item and the one after it into view above the dock, and again when the dock grows. */
export function useReveal(book: CountModel, cursor: Cursor, { list, dock, latestFilter }: Parts) {
  const reveal = useCallback(
    (id: string) => {
      // Reveal the next item as well: the person counting already looks for it.
      const next = neighbourOf(book, latestFilter.current, id, 1)?.id;
      for (const one of [next, id]) {
        const row = list.current?.querySelector<HTMLElement>(
          `[data-item="${CSS.escape(one ?? '')}"]`,
        );
        if (!row || !dock.current) continue;
        // Keep the rows above the dock, whose height varies. Set on these rows only: a variable on the list would
        // restyle every row.
        row.style.setProperty('--dock', `${dock.current.offsetHeight + 8}px`);
        row.scrollIntoView({ block: 'nearest' });
      }
    },
    [book, list, dock, latestFilter],
  );
  // On a small screen a growing dock would cover the current row.
  useEffect(() => {
    const under = dock.current;
    if (!under || !('ResizeObserver' in window)) return;
    const watch = new ResizeObserver(() => {
      const at = cursor.current();
      if (at && under.hasAttribute('data-tight')) reveal(at);
    });
    watch.observe(under);
    return () => watch.disconnect();
  }, [cursor, dock, reveal]);
  return reveal;
}
