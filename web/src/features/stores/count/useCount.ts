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
import { throughCache } from '#/offline/cache';
import { calm } from '#/offline/calm';
import { afterFrame } from '#/ui/afterFrame';
import { countApi, isOutOfReach, KEY } from './api';
import { Book } from './book';
import type { CountRow } from './drawn';
import { outbox } from './lane';
import type { CountState, Entry, Scope, WarmUp } from './types';

/** Lists change seldom; a count that is open all evening looks now and then. */
const WARM_MS = 10 * 60_000;
const STATE_MS = 60_000;

/** The stores within reach, also without a network. */
export function useStores() {
  const me = useMe();
  const { uid } = me.user;
  const client = useQueryClient();
  return useQuery({
    queryKey: [...KEY, 'stores', uid],
    networkMode: 'always',
    staleTime: WARM_MS,
    queryFn: async ({ signal, queryKey }) => {
      const ask = () => request<Name[]>('GET', '/api/names/stores', { signal });
      const within = me.user.storeIds ? new Set(me.user.storeIds) : null;
      const own = (names: Name[]) => names.filter(({ id }) => !within || within.has(id));
      const late = (names: Name[]) => client.setQueryData(queryKey, own(names));
      return own(await throughCache(uid, 'stores', ask, isOutOfReach, late));
    },
  });
}

const warmName = (storeId: string) => `warm:${storeId}`;
const entriesName = (storeId: string, date: string) => `entries:${storeId}:${date}`;

/** Fetches what one store's count needs and keeps it on the device. */
export function warmUp(uid: string, storeId: string, signal?: AbortSignal): Promise<WarmUp> {
  const ask = () => countApi.warmUp(storeId, signal);
  const late = (answer: WarmUp) => queries.setQueryData(warmKey(storeId), answer);
  return throughCache(uid, warmName(storeId), ask, isOutOfReach, late);
}

const warmKey = (storeId: string) => [...KEY, 'warm-up', storeId];

const warmOptions = (uid: string, storeId: string) =>
  queryOptions({
    queryKey: warmKey(storeId),
    networkMode: 'always',
    staleTime: WARM_MS,
    queryFn: ({ signal }) => warmUp(uid, storeId, signal),
  });

export function useWarmUp(storeId: string) {
  const { uid } = useMe().user;
  return useQuery({
    ...warmOptions(uid, storeId),
    enabled: storeId !== '',
    refetchInterval: WARM_MS,
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
      if (client.getQueryData(queryKey)) await calm(signal);
      const name = entriesName(storeId, date);
      const ask = () => countApi.entries(storeId, date, signal);
      const late = (entries: Entry[]) => client.setQueryData(queryKey, entries);
      return throughCache(uid, name, ask, isOutOfReach, late).catch(async (error: unknown) => {
        if (!isOutOfReach(error)) throw error;
        // The first time without a network there is what came with the warm-up.
        const { entries } = await client.ensureQueryData(warmOptions(uid, storeId));
        return entries.filter((one) => one.date === date);
      });
    },
  });
}

/** Locks, windows and who else counts; without a network nothing is known about them. */
export function useCountState(scope: Scope) {
  const client = useQueryClient();
  return useQuery<CountState>({
    queryKey: [...KEY, 'state', scope.storeId, scope.date, scope.session],
    enabled: scope.storeId !== '',
    refetchInterval: STATE_MS,
    retry: false,
    queryFn: async ({ signal, queryKey }) => {
      if (client.getQueryData(queryKey)) await calm(signal);
      return countApi.state(scope, signal);
    },
  });
}

/** A count that follows the server, the outbox and the choice of store, day and session. */
export function useBook(scope: Scope) {
  const { uid } = useMe().user;
  const { storeId, date, session } = scope;
  const book = useMemo(
    () => new Book(outbox, { storeId, date, session }, uid, afterFrame),
    [storeId, date, session, uid],
  );
  const warm = useWarmUp(storeId);
  const entries = useEntries(scope);
  useEffect(() => book.follow(), [book]);
  useEffect(() => {
    if (warm.data) book.warm(warm.data);
  }, [book, warm.data]);
  useEffect(() => {
    if (entries.data) book.learn(entries.data);
  }, [book, entries.data]);
  return { book, warm, entries };
}

export const BookContext = createContext<Book | null>(null);

export function useOpenBook(): Book {
  const book = useContext(BookContext);
  if (!book) throw new Error('a row needs its count');
  return book;
}

export function useRow(itemId: string): CountRow {
  const book = useOpenBook();
  const watch = useCallback((hear: () => void) => book.watch(itemId, hear), [book, itemId]);
  return useSyncExternalStore(watch, () => book.row(itemId));
}

export function useProgress() {
  const book = useOpenBook();
  return useSyncExternalStore(book.subscribe, book.progress);
}

export function useItems() {
  const book = useOpenBook();
  return useSyncExternalStore(book.subscribe, book.items);
}

export function useAreas() {
  const book = useOpenBook();
  return useSyncExternalStore(book.subscribe, book.areas);
}

/** The present, told anew every half minute. */
export function useNow(): Date {
  const [now, setNow] = useState(() => new Date());
  useEffect(() => {
    const timer = setInterval(() => setNow(new Date()), 30_000);
    return () => clearInterval(timer);
  }, []);
  return now;
}
