// The data of the branch app's screens, online and offline.
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useMemo } from 'react';
import { request } from '#/api/client';
import { openOnly } from '#/api/names';
import { can, isUnreachable, useMe } from '#/api/session';
import { fetchThroughCache } from '#/offline/cache';
import { askRecalls, RECEIVING } from '#/stock/api';
import { draftNames } from './drafts';
import { KEY } from './keys';
import type { BranchToday, Kept } from './types';

const REFRESH_MS = 60_000;

interface Asked<T> {
  /** The end of its query key, and its name in the cache. */
  name: readonly string[];
  ask(signal: AbortSignal): Promise<T>;
  enabled?: boolean;
  refresh?: number;
}

const cacheName = (name: readonly string[]) => `branch:${name.join(':')}`;

/** Asks the server and caches the answer with its time. */
export function askAndKeep<T extends object>(
  uid: string,
  name: readonly string[],
  ask: () => Promise<T>,
  late?: (answer: Kept<T>) => void,
): Promise<Kept<T>> {
  const stamped = async () => ({ ...(await ask()), keptAt: new Date().toISOString() });
  return fetchThroughCache(uid, cacheName(name), stamped, isUnreachable, late);
}

/** A query whose last answer stays available offline. */
export function useKept<T extends object>({ name, ask, enabled = true, refresh }: Asked<T>) {
  const { uid } = useMe().user;
  const client = useQueryClient();
  return useQuery({
    queryKey: [...KEY, ...name],
    enabled,
    networkMode: 'always',
    staleTime: 20_000,
    refetchInterval: refresh,
    queryFn: ({ signal, queryKey }) =>
      askAndKeep(
        uid,
        name,
        () => ask(signal),
        (late) => client.setQueryData(queryKey, late),
      ),
  });
}

export const askToday = (storeId: string, signal?: AbortSignal): Promise<BranchToday> =>
  request('GET', '/api/branch-ops/today', { query: { storeId }, signal });

export function useToday(storeId: string) {
  return useKept({
    name: ['today', storeId],
    ask: (signal) => askToday(storeId, signal),
    enabled: storeId !== '',
    refresh: REFRESH_MS,
  });
}

/** Recalled lots in a store or on their way there. */
export function useStoreRecalls(storeId: string) {
  return useKept({
    name: ['recalls', storeId],
    ask: (signal) => askRecalls(storeId, signal),
    enabled: can(useMe(), RECEIVING) && storeId !== '',
  });
}

export function useSales(storeId: string, date: string) {
  return useKept({
    name: ['sales', storeId, date],
    ask: (signal) =>
      request('GET', '/api/branch-ops/sales', {
        query: { storeId, date: date || undefined },
        signal,
      }),
    enabled: storeId !== '',
    refresh: REFRESH_MS,
  });
}

export const askStores = async (signal?: AbortSignal) => ({
  items: await request('GET', '/api/names/{kind}', { path: { kind: 'stores' }, signal }),
});

/** All stores by name: the user's own, and those they can send to. */
export function useStores() {
  const { storeIds } = useMe().user;
  const query = useKept({ name: ['stores'], ask: askStores });
  const items = query.data?.items;
  const [all, own] = useMemo(() => {
    const within = storeIds ? new Set(storeIds) : null;
    const found = items ?? [];
    // Closed stores cannot be used; sending to one is refused with an explanation.
    return [found, openOnly(found).filter(({ id }) => !within || within.has(id))];
  }, [items, storeIds]);
  return { ...query, all, own };
}

export const askReceiving = (signal?: AbortSignal) =>
  request('GET', '/api/stores/receive/settings', { signal });

/** How much more than expected may be received. */
export function useReceivingSettings() {
  return useKept({ name: ['receiving'], ask: askReceiving });
}

/** The names of drafts on this device that begin with `prefix`. */
export function useDraftNames(prefix: string): readonly string[] {
  const { uid } = useMe().user;
  const { data } = useQuery({
    queryKey: [...KEY, 'drafts', uid, prefix],
    networkMode: 'always',
    staleTime: 0,
    queryFn: () => draftNames(uid, prefix),
  });
  return data ?? [];
}
