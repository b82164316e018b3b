// What goes on in the background while somebody who counts is signed in.
import { queries } from '#/api/queries';
import { ME, type Me } from '#/api/session';
import { KEY } from './api';
import { finishWaiting } from './finish';
import { startSending } from './lane';
import { sendPhotos } from './photos';
import { warmUp } from './useCount';

/** A start should not begin with what may wait. */
const LATER_MS = 3_000;
/** A server that was away without the browser noticing is tried so often. */
const EVERY_MS = 60_000;

function lastStore(): string {
  try {
    return localStorage.getItem('storeCount:lastStoreId') ?? '';
  } catch {
    return '';
  }
}

/** The one store that is warmed up: the last chosen, if it is still theirs, or their only one. */
function ownStore(): string | null {
  const me = queries.getQueryData<Me | null>(ME);
  const within = me?.user.storeIds;
  const last = lastStore();
  if (last && (!within || within.includes(last))) return last;
  return within?.length === 1 ? (within[0] ?? null) : null;
}

/** What waits is sent. */
export function startCounting(uid: string): () => void {
  const stop = startSending();
  const ended = followUp(uid);
  return () => {
    ended();
    stop();
  };
}

/** Fetches what the next count needs, once whoever is here has begun to work. */
export function startWarmUp(uid: string): () => void {
  const timer = setTimeout(() => {
    const storeId = ownStore();
    if (!storeId) return;
    void queries
      .prefetchQuery({
        queryKey: [...KEY, 'warm-up', storeId],
        queryFn: ({ signal }) => warmUp(uid, storeId, signal),
        staleTime: 10 * 60_000,
        networkMode: 'always',
      })
      .catch(() => {});
  }, LATER_MS);
  return () => clearTimeout(timer);
}

/** What follows the entries, wherever in the console somebody is by then: photos, and that a count is finished. */
function followUp(uid: string): () => void {
  const more = () => {
    void sendPhotos(uid);
    void finishWaiting(uid);
  };
  more();
  const timer = setInterval(more, EVERY_MS);
  const kinds = ['storeCount:synced', 'online'];
  for (const kind of kinds) window.addEventListener(kind, more);
  return () => {
    clearInterval(timer);
    for (const kind of kinds) window.removeEventListener(kind, more);
  };
}
