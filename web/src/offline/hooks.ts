import { useSyncExternalStore } from 'react';
import type { Snapshot } from './lane';
import type { Outbox } from './outbox';

export function useOutbox<R>(outbox: Outbox<R>): Snapshot<R> {
  return useSyncExternalStore(outbox.subscribe, outbox.snapshot);
}

function online(changed: () => void): () => void {
  window.addEventListener('online', changed);
  window.addEventListener('offline', changed);
  return () => {
    window.removeEventListener('online', changed);
    window.removeEventListener('offline', changed);
  };
}

/** What the browser thinks; a network without a server behind it counts as one here. */
export function useOnline(): boolean {
  return useSyncExternalStore(
    online,
    () => navigator.onLine,
    () => true,
  );
}
