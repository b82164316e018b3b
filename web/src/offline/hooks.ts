import { useCallback, useSyncExternalStore } from 'react';
import { afterFrame } from '#/ui/afterFrame';
import type { Snapshot } from './lane';
import type { Outbox } from './outbox';

/** What the outbox holds; drawn after the frame in which somebody's key is answered. */
export function useOutbox<R>(outbox: Outbox<R>): Snapshot<R> {
  const subscribe = useCallback(
    (hear: () => void) => outbox.subscribe(() => afterFrame(hear)),
    [outbox],
  );
  return useSyncExternalStore(subscribe, outbox.snapshot);
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
