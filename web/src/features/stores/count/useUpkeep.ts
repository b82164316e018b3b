import { useEffect } from 'react';
import { askToStay } from '#/offline/device';
import { keepPictures } from './pictures';
import type { Item } from './types';

/** What goes on behind a count: pictures for the freezer, and room that stays ours. */
export function useUpkeep(items: readonly Item[] | undefined): void {
  useEffect(() => {
    if (!items) return;
    const stop = new AbortController();
    const timer = setTimeout(() => void keepPictures(items, stop.signal), 2_000);
    return () => {
      clearTimeout(timer);
      stop.abort();
    };
  }, [items]);

  useEffect(() => void askToStay(), []);
}
