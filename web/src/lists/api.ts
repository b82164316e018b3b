import { useQueries } from '@tanstack/react-query';
import { useCallback } from 'react';
import { api, body, request } from '#/api/client';
import type { Name } from '#/api/names';
import { queries } from '#/api/queries';
import type { Wire } from '#/form/types';
import type { Saved } from '#/form/useRecordForm';
import { queryString } from '#/paths';
import type { Answer } from '#/table/sources';

type Query = Record<string, string | number | undefined>;

/** The five calls that every list answers, at its own address. */
export function listApi<T extends Saved>(base: string) {
  return {
    all: (query: Query, signal?: AbortSignal) =>
      request<Answer<T>>('GET', base, { query: { ...query, pageSize: 'all' }, signal }),
    page: (query: Query, signal?: AbortSignal) =>
      request<Answer<T>>('GET', base, { query, signal }),
    get: (id: string, signal?: AbortSignal) =>
      request<T>('GET', `${base}/${encodeURIComponent(id)}`, { signal }),
    create: (fields: Wire) => request<T>('POST', base, { json: fields }),
    update: (id: string, revision: number, changed: Wire) =>
      request<T>('PATCH', `${base}/${encodeURIComponent(id)}`, { json: { ...changed, revision } }),
    remove: (id: string) => request<void>('DELETE', `${base}/${encodeURIComponent(id)}`),
    exportHref: (format: string, query: Query) =>
      `${base}/export${queryString({ format, ...query })}`,
  };
}

export type ListApi<T extends Saved> = ReturnType<typeof listApi<T>>;

/** Everything that shows this list or its names asks again. */
export function listChanged(slug: string): void {
  void queries.invalidateQueries({ queryKey: ['lists', slug] });
  void queries.invalidateQueries({ queryKey: ['lists', 'hub'] });
  void queries.invalidateQueries({ queryKey: ['names', slug] });
}

interface NamesResult {
  data?: readonly Name[];
}

const combine = (all: readonly NamesResult[]) => ({
  maps: all.map(({ data }) => new Map((data ?? []).map(({ id, name }) => [id, name]))),
  ready: all.every(({ data }) => data),
});

/** The names behind several kinds of references at once. */
export function useNamesOf(kinds: readonly string[]): (kind: string, id: unknown) => string | null {
  const results = useQueries({
    queries: kinds.map((kind) => ({
      queryKey: ['names', kind],
      queryFn: ({ signal }: { signal: AbortSignal }) =>
        body(api.GET('/api/names/{kind}', { params: { path: { kind } }, signal })),
      staleTime: 5 * 60_000,
    })),
    combine,
  });
  return useCallback(
    (kind: string, id: unknown) => {
      if (!id) return null;
      const found = results.maps[kinds.indexOf(kind)]?.get(String(id));
      // Until the names are there nothing is better than an id.
      return found ?? (results.ready ? String(id) : '');
    },
    [results, kinds],
  );
}
