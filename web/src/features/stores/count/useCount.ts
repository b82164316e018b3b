// The data behind a count, with and without a network.
import { useQuery } from '@tanstack/react-query';
import {
  createContext,
  useContext,
  useEffect,
  useMemo,
  useState,
  useSyncExternalStore,
} from 'react';
import { request } from '#/api/client';
import type { Name } from '#/api/names';
import { useMe } from '#/api/session';
import { throughCache } from '#/offline/cache';
import { countApi, isOutOfReach, KEY } from './api';
import { Book, type CountRow } from './book';
import { outbox } from './lane';
import type { CountState, Scope, WarmUp } from './types';

/** Lists change seldom; a count that is open all evening looks now and then. */
const WARM_MS = 10 * 60_000;
const STATE_MS = 60_000;

/** The stores within reach, also without a network. */
export function useStores() {
  const me = useMe();
  const { uid } = me.user;
  return useQuery({
    queryKey: [...KEY, 'stores', uid],
    networkMode: 'always',
    staleTime: WARM_MS,
    queryFn: async ({ signal }) => {
      const ask = () => request<Name[]>('GET', '/api/names/stores', { signal });
      const names = await throughCache(uid, 'stores', ask, isOutOfReach);
      const within = me.user.storeIds ? new Set(me.user.storeIds) : null;
      return names.filter(({ id }) => !within || within.has(id));
    },
  });
}

const warmName = (storeId: string) => `warm:${storeId}`;
const entriesName = (storeId: string, date: string) => `entries:${storeId}:${date}`;

/** Fetches what one store's count needs and keeps it on the device. */
export function warmUp(uid: string, storeId: string, signal?: AbortSignal): Promise<WarmUp> {
  const ask = () => countApi.warmUp(storeId, signal);
  return throughCache(uid, warmName(storeId), ask, isOutOfReach);
}

export function useWarmUp(storeId: string) {
  const { uid } = useMe().user;
  return useQuery({
    queryKey: [...KEY, 'warm-up', storeId],
    enabled: storeId !== '',
    networkMode: 'always',
    staleTime: WARM_MS,
    refetchInterval: WARM_MS,
    queryFn: ({ signal }) => warmUp(uid, storeId, signal),
  });
}

function useEntries({ storeId, date }: Scope, warm: WarmUp | undefined) {
  const { uid } = useMe().user;
  return useQuery({
    queryKey: [...KEY, 'entries', storeId, date],
    enabled: storeId !== '' && warm !== undefined,
    networkMode: 'always',
    staleTime: 0,
    queryFn: ({ signal }) => {
      const name = entriesName(storeId, date);
      const ask = () => countApi.entries(storeId, date, signal);
      return throughCache(uid, name, ask, isOutOfReach).catch((error: unknown) => {
        // The first time without a network there is what came with the warm-up.
        if (isOutOfReach(error)) return (warm?.entries ?? []).filter((one) => one.date === date);
        throw error;
      });
    },
  });
}

/** Locks, windows and who else counts; without a network nothing is known about them. */
export function useCountState(scope: Scope) {
  return useQuery<CountState>({
    queryKey: [...KEY, 'state', scope.storeId, scope.date, scope.session],
    enabled: scope.storeId !== '',
    refetchInterval: STATE_MS,
    retry: false,
    queryFn: ({ signal }) => countApi.state(scope, signal),
  });
}

/** A count that follows the server, the outbox and the choice of store, day and session. */
export function useBook(scope: Scope) {
  const { uid } = useMe().user;
  const { storeId, date, session } = scope;
  const book = useMemo(
    () => new Book(outbox, { storeId, date, session }, uid),
    [storeId, date, session, uid],
  );
  const warm = useWarmUp(storeId);
  const entries = useEntries(scope, warm.data);
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
  return useSyncExternalStore(book.subscribe, () => book.row(itemId));
}

export function useProgress() {
  const book = useOpenBook();
  return useSyncExternalStore(book.subscribe, book.progress);
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
