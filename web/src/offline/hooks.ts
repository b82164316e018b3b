import { useCallback, useSyncExternalStore } from 'react';
import { afterFrame } from '#/ui/afterFrame';
import type { Outbox } from './outbox';
import { countAside, countWaiting, subscribeToOutboxes } from './outboxes';
import type { OutboxSnapshot } from './writeQueue';

/** The outbox's snapshot; updates wait for the next frame, so that a key press is answered first. */
export function useOutbox<R>(outbox: Outbox<R>): OutboxSnapshot<R> {
  const subscribe = useCallback(
    (listener: () => void) => outbox.subscribe(() => afterFrame(listener)),
    [outbox],
  );
  return useSyncExternalStore(subscribe, outbox.snapshot);
}

const subscribeToAll = (listener: () => void) => subscribeToOutboxes(() => afterFrame(listener));

/** How many entries of all outboxes wait on this device, and how many need a decision. */
export function useWaiting(): { waiting: number; aside: number } {
  const waiting = useSyncExternalStore(subscribeToAll, countWaiting, () => 0);
  const aside = useSyncExternalStore(subscribeToAll, countAside, () => 0);
  return { waiting, aside };
}

function online(changed: () => void): () => void {
  window.addEventListener('online', changed);
  window.addEventListener('offline', changed);
  return () => {
    window.removeEventListener('online', changed);
    window.removeEventListener('offline', changed);
  };
}

/** `navigator.onLine`: true also for a network without a server behind it. */
export function useOnline(): boolean {
  return useSyncExternalStore(
    online,
    () => navigator.onLine,
    () => true,
  );
}
