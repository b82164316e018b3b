// The data behind a count, with and without a network.
import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query';
import {
  createContext,
  useCallback,
  useContext,
  useEffect,
  useMemo,
  useState,
  useSyncExternalStore,
} from 'react';
import { request } from '#/api/client';
import type { Name } from '#/api/names';
import { queries } from '#/api/queries';
import { useMe } from '#/api/session';
import { fetchThroughCache } from '#/offline/cache';
import { waitForIdle } from '#/offline/idle';
import { afterFrame } from '#/ui/afterFrame';
import { addDays } from '#/ui/dates';
import { countApi, isOutOfReach, KEY } from './api';
import { CountModel } from './countModel';
import { outbox } from './countQueue';
import type { CountRow } from './rows';
import type { CountState, Entry, Scope, WarmUp } from './types';

/** Item lists change seldom; a count that stays open all evening refreshes them at this interval. */
const WARM_UP_MS = 10 * 60_000;
const STATE_MS = 60_000;

/** The stores the user may see; also works offline. */
export function useStores() {
  const me = useMe();
  const { uid } = me.user;
  const client = useQueryClient();
  return useQuery({
    queryKey: [...KEY, 'stores', uid],
    networkMode: 'always',
    staleTime: WARM_UP_MS,
    queryFn: async ({ signal, queryKey }) => {
      const ask = () => request('GET', '/api/names/{kind}', { path: { kind: 'stores' }, signal });
      const within = me.user.storeIds ? new Set(me.user.storeIds) : null;
      const own = (names: Name[]) => names.filter(({ id }) => !within || within.has(id));
      const late = (names: Name[]) => client.setQueryData(queryKey, own(names));
      return own(await fetchThroughCache(uid, 'stores', ask, isOutOfReach, late));
    },
  });
}

const warmUpCacheName = (storeId: string) => `warm:${storeId}`;
const entriesCacheName = (storeId: string, date: string) => `entries:${storeId}:${date}`;

/** Fetches what one store's count needs and caches it on the device. */
export function warmUp(uid: string, storeId: string, signal?: AbortSignal): Promise<WarmUp> {
  const ask = () => countApi.warmUp(storeId, signal);
  const late = (answer: WarmUp) => queries.setQueryData(warmKey(storeId), answer);
  return fetchThroughCache(uid, warmUpCacheName(storeId), ask, isOutOfReach, late);
}

const warmKey = (storeId: string) => [...KEY, 'warm-up', storeId];

const warmOptions = (uid: string, storeId: string) =>
  queryOptions({
    queryKey: warmKey(storeId),
    networkMode: 'always',
    staleTime: WARM_UP_MS,
    queryFn: ({ signal }) => warmUp(uid, storeId, signal),
  });

export function useWarmUp(storeId: string) {
  const { uid } = useMe().user;
  return useQuery({
    ...warmOptions(uid, storeId),
    enabled: storeId !== '',
    refetchInterval: WARM_UP_MS,
  });
}

function useEntries({ storeId, date }: Scope) {
  const { uid } = useMe().user;
  const client = useQueryClient();
  return useQuery({
    queryKey: [...KEY, 'entries', storeId, date],
    enabled: storeId !== '',
    networkMode: 'always',
    staleTime: 0,
    queryFn: async ({ signal, queryKey }) => {
      if (client.getQueryData(queryKey)) await waitForIdle(signal);
      const name = entriesCacheName(storeId, date);
      const ask = () => countApi.entries(storeId, date, signal);
      const late = (entries: Entry[]) => client.setQueryData(queryKey, entries);
      return fetchThroughCache(uid, name, ask, isOutOfReach, late).catch(async (error: unknown) => {
        if (!isOutOfReach(error)) throw error;
        // Offline for the first time on this day: use the entries that came with the warm-up.
        const { entries } = await client.ensureQueryData(warmOptions(uid, storeId));
        return entries.filter((one) => one.date === date);
      });
    },
  });
}

/** What a day that the warm-up does not have is expected to come to; unknown while offline. */
function useExpectedOfDay({ storeId, date }: Scope, warm: WarmUp | undefined) {
  const has = warm?.expectedOf?.some((one) => one.date === date);
  return useQuery({
    queryKey: [...KEY, 'expected', storeId, date],
    enabled: warm !== undefined && !warm.settings.blind && !has,
    retry: false,
    queryFn: ({ signal }) => countApi.expected(storeId, date, signal),
  });
}

/** The counts of the day before one that is not today, to be compared with; unknown while offline. */
function useDayBefore({ storeId, date }: Scope, warm: WarmUp | undefined) {
  const before = addDays(date, -1);
  return useQuery({
    queryKey: [...KEY, 'entries', storeId, before],
    enabled: warm !== undefined && !warm.settings.blind && date < warm.today,
    retry: false,
    queryFn: ({ signal }) => countApi.entries(storeId, before, signal),
  });
}

/** Locks, time windows and leases; unknown while offline. */
export function useCountState(scope: Scope) {
  const client = useQueryClient();
  return useQuery<CountState>({
    queryKey: [...KEY, 'state', scope.storeId, scope.date, scope.session],
    enabled: scope.storeId !== '',
    refetchInterval: STATE_MS,
    retry: false,
    queryFn: async ({ signal, queryKey }) => {
      if (client.getQueryData(queryKey)) await waitForIdle(signal);
      return countApi.state(scope, signal);
    },
  });
}

/** A count that follows the server, the outbox and the choice of store, day and session. */
export function useCountModel(scope: Scope) {
  const { uid } = useMe().user;
  const { storeId, date, session } = scope;
  const book = useMemo(
    () => new CountModel(outbox, { storeId, date, session }, uid, afterFrame),
    [storeId, date, session, uid],
  );
  const warm = useWarmUp(storeId);
  const entries = useEntries(scope);
  const expected = useExpectedOfDay(scope, warm.data);
  const dayBefore = useDayBefore(scope, warm.data);
  useEffect(() => book.follow(), [book]);
  useEffect(() => {
    if (warm.data) book.setWarmUp(warm.data);
  }, [book, warm.data]);
  useEffect(() => {
    if (expected.data) book.setExpectedOfDay(expected.data);
  }, [book, expected.data]);
  useEffect(() => {
    if (dayBefore.data) book.setDayBefore(dayBefore.data);
  }, [book, dayBefore.data]);
  useEffect(() => {
    if (entries.data) book.setEntries(entries.data);
  }, [book, entries.data]);
  return { book, warm, entries };
}

export const CountModelContext = createContext<CountModel | null>(null);

export function useOpenCount(): CountModel {
  const book = useContext(CountModelContext);
  if (!book) throw new Error('a row needs its count');
  return book;
}

export function useRow(itemId: string): CountRow {
  const book = useOpenCount();
  const watch = useCallback((listener: () => void) => book.watch(itemId, listener), [book, itemId]);
  return useSyncExternalStore(watch, () => book.row(itemId));
}

export function useProgress() {
  const book = useOpenCount();
  return useSyncExternalStore(book.subscribe, book.progress);
}

export function useAskedRecount() {
  const book = useOpenCount();
  return useSyncExternalStore(book.subscribe, book.asked);
}

export function useItems() {
  const book = useOpenCount();
  return useSyncExternalStore(book.subscribe, book.items);
}

export function useAreas() {
  const book = useOpenCount();
  return useSyncExternalStore(book.subscribe, book.areas);
}

/** The current time, updated every half minute. */
export function useNow(): Date {
  const [now, setNow] = useState(() => new Date());
  useEffect(() => {
    const timer = setInterval(() => setNow(new Date()), 30_000);
    return () => clearInterval(timer);
  }, []);
  return now;
}
