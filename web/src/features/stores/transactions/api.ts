import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useCallback, useMemo } from 'react';
import { request } from '#/api/client';
import { Problem } from '#/api/problem';
import type { components } from '#/api/schema.gen';
import { queryString } from '#/paths';
import type { By } from '#/stock/ledger/api';
import type { Source } from '#/table/types';

type Schemas = components['schemas'];
export type Entry = Schemas['BookEntry'];
export type EntryKind = Schemas['EntryKind'];

const ROOT = '/api/stores/transactions';

/** The filters of a store's ledger. */
export interface Asked {
  storeId: string;
  kinds?: string;
  stage?: string;
  from?: string;
  to?: string;
  q?: string;
  person?: string;
}

/** Loads more when this close to the end. */
const AHEAD = 40;

/** A store's ledger as table rows; loads more near the end. */
export function useBook(asked: Asked): Source<Entry> & { kinds: readonly EntryKind[] } {
  const query = useInfiniteQuery({
    queryKey: ['stores', 'transactions', asked],
    queryFn: ({ pageParam, signal }) =>
      request('GET', ROOT, { query: { ...asked, after: pageParam || undefined }, signal }),
    initialPageParam: '',
    getNextPageParam: ({ next }) => next ?? undefined,
    enabled: asked.storeId !== '',
  });
  const { data, hasNextPage, isFetchingNextPage, fetchNextPage } = query;
  const rows = useMemo<(Entry | undefined)[]>(() => {
    const all: (Entry | undefined)[] = data?.pages.flatMap(({ items }) => items) ?? [];
    // A placeholder row for those still to load.
    return hasNextPage ? [...all, undefined] : all;
  }, [data, hasNextPage]);
  const need = useCallback(
    (_: number, last: number) => {
      if (last + AHEAD >= rows.length && hasNextPage && !isFetchingNextPage) void fetchNextPage();
    },
    [rows.length, hasNextPage, isFetchingNextPage, fetchNextPage],
  );
  return {
    rows,
    total: rows.length,
    pending: query.isPending,
    error: query.error && !data ? Problem.of(query.error) : null,
    retry: () => void query.refetch(),
    remote: true,
    need,
    kinds: data?.pages[0]?.kinds ?? [],
  };
}

export const bookHref = (asked: Asked) => (format: 'csv' | 'xlsx') =>
  `${ROOT}/export${queryString({ ...asked, format })}`;

/** More than any store counts. */
const ALL = 5000;

/** A store's count items, or their root items. */
export function useCounted(storeId: string, by: By, on: boolean) {
  return useQuery({
    queryKey: ['stores', 'inventory', 'rows', storeId, by],
    queryFn: ({ signal }) =>
      request('GET', '/api/stores/inventory', { query: { storeId, by, pageSize: ALL }, signal }),
    enabled: on && storeId !== '',
  });
}

/** The root items in a product. */
export function useRootsOf(productId: string) {
  return useQuery({
    queryKey: ['stores', 'transactions', 'roots', productId],
    queryFn: ({ signal }) => request('GET', `${ROOT}/root-items`, { query: { productId }, signal }),
    enabled: productId !== '',
  });
}
