// What goes on in the background while somebody who counts is signed in.
import { queries } from '#/api/queries';
import { ME, type Me } from '#/api/session';
import { KEY } from './api';
import { startSending } from './lane';
import { warmUp } from './useCount';

/** A start should not begin with what may wait. */
const LATER_MS = 3_000;

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

export function startCounting(uid: string): () => void {
  const stop = startSending();
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
  return () => {
    clearTimeout(timer);
    stop();
  };
}
