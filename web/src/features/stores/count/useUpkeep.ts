import { useEffect } from 'react';
import { askToStay } from '#/offline/device';
import { finishWaiting } from './finish';
import { sendPhotos } from './photos';
import { keepPictures } from './pictures';
import type { Item } from './types';

/** What goes on behind a count: pictures for the freezer, and what came in without a network. */
export function useUpkeep(uid: string, items: readonly Item[] | undefined): void {
  useEffect(() => {
    const more = () => {
      void sendPhotos(uid);
      void finishWaiting(uid);
    };
    more();
    window.addEventListener('storeCount:synced', more);
    window.addEventListener('online', more);
    return () => {
      window.removeEventListener('storeCount:synced', more);
      window.removeEventListener('online', more);
    };
  }, [uid]);

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
