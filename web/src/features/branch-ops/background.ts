// Background work while a user with access to the branch app is signed in.

import { queries } from '#/api/queries';
import { reachability } from '#/api/reachability';
import { can, ME, type Me } from '#/api/session';
import { keepBarcodes } from '#/offline/barcodes';
import { askRecalls } from '#/stock/api';
import { askAndKeep, askReceiving, askStores, askToday } from './data';
import { LAST_STORE } from './keys';
import { keepLines } from './lines';
import { askProducts, productsName } from './products';
import { startSending } from './queue';

/** The first page loads before anything is fetched for later. */
const WARM_UP_AFTER_MS = 3_000;
const WARM_UP_EVERY_MS = 10 * 60_000;

function storeToWarmUp(me: Me): string | null {
  const within = me.user.storeIds;
  let last = '';
  try {
    last = localStorage.getItem(LAST_STORE) ?? '';
  } catch {
    // Not remembered.
  }
  if (last && (!within || within.includes(last))) return last;
  return within?.length === 1 ? (within[0] ?? null) : null;
}

/** Fetches what a store needs offline: the day, stock in transit, the stores, the products. */
export async function keepForStore(uid: string, storeId: string): Promise<void> {
  const me = queries.getQueryData<Me | null>(ME);
  if (!me || me.remembered || me.user.uid !== uid || !navigator.onLine) return;
  await askAndKeep(uid, ['stores'], () => askStores());
  const today = await askAndKeep(uid, ['today', storeId], () => askToday(storeId));
  for (const coming of today.expected) await keepLines(me, coming);
  if (can(me, 'stores/storeReceive')) {
    await askAndKeep(uid, ['receiving'], () => askReceiving());
    await askAndKeep(uid, ['recalls', storeId], () => askRecalls(storeId));
  }
  await askAndKeep(uid, productsName(storeId), () => askProducts(me, storeId));
  await keepBarcodes(uid);
}

async function warmUp(uid: string): Promise<void> {
  const me = queries.getQueryData<Me | null>(ME);
  const storeId = me && storeToWarmUp(me);
  if (storeId) await keepForStore(uid, storeId);
}

/** Sends pending records, and caches what the next delivery needs. */
export function startBranchWork(uid: string): () => void {
  const stop = startSending();
  const go = () => void warmUp(uid).catch(() => {});
  const first = setTimeout(go, WARM_UP_AFTER_MS);
  const timer = setInterval(go, WARM_UP_EVERY_MS);
  const stopReach = reachability.onBack(go);
  return () => {
    clearTimeout(first);
    clearInterval(timer);
    stopReach();
    stop();
  };
}
