// Background work while a user who may count is signed in.
import { queries } from '#/api/queries';
import { ME, type Me } from '#/api/session';
import { KEY } from './api';
import { startSending } from './countQueue';
import { sendFinishRequests } from './finishCount';
import { sendPhotos } from './photos';
import { warmUp } from './useCount';

/** The warm-up waits until the first page has loaded. */
const WARM_UP_AFTER_MS = 3_000;
/** A retry interval, for outages that the browser does not report. */
const FOLLOW_UP_EVERY_MS = 60_000;

function lastStore(): string {
  try {
    return localStorage.getItem('storeCount:lastStoreId') ?? '';
  } catch {
    return '';
  }
}

/** The last chosen store, if the user may still see it, or their only one. */
function storeToWarmUp(): string | null {
  const me = queries.getQueryData<Me | null>(ME);
  const within = me?.user.storeIds;
  const last = lastStore();
  if (last && (!within || within.includes(last))) return last;
  return within?.length === 1 ? (within[0] ?? null) : null;
}

/** Sends waiting counts, photos and finish requests. */
export function startCountSync(uid: string): () => void {
  const stop = startSending();
  const ended = followUp(uid);
  return () => {
    ended();
    stop();
  };
}

/** Fetches what the next count needs. */
export function startWarmUp(uid: string): () => void {
  const timer = setTimeout(() => {
    const storeId = storeToWarmUp();
    if (!storeId) return;
    void queries
      .prefetchQuery({
        queryKey: [...KEY, 'warm-up', storeId],
        queryFn: ({ signal }) => warmUp(uid, storeId, signal),
        staleTime: 10 * 60_000,
        networkMode: 'always',
      })
      .catch(() => {});
  }, WARM_UP_AFTER_MS);
  return () => clearTimeout(timer);
}

/** Sends photos and finish requests once their entries are sent, on whatever page the user is. */
function followUp(uid: string): () => void {
  const sendRest = () => {
    void sendPhotos(uid);
    void sendFinishRequests(uid);
  };
  sendRest();
  const timer = setInterval(sendRest, FOLLOW_UP_EVERY_MS);
  const kinds = ['storeCount:synced', 'online'];
  for (const kind of kinds) window.addEventListener(kind, sendRest);
  return () => {
    clearInterval(timer);
    for (const kind of kinds) window.removeEventListener(kind, sendRest);
  };
}
