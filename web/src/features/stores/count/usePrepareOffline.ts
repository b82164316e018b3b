import { useEffect } from 'react';
import { requestPersistence } from '#/offline/device';
import { keepPictures } from './pictures';
import type { Item } from './types';

/** Prepares for counting offline: keeps the items' pictures, and asks for storage the browser does not clear. */
export function usePrepareOffline(items: readonly Item[] | undefined): void {
  useEffect(() => {
    if (!items) return;
    const stop = new AbortController();
    const timer = setTimeout(() => void keepPictures(items, stop.signal), 2_000);
    return () => {
      clearTimeout(timer);
      stop.abort();
    };
  }, [items]);

  useEffect(() => void requestPersistence(), []);
}
