import { useQueries, useQuery } from '@tanstack/react-query';
import { useCallback, useMemo } from 'react';
import { request } from './client';
import type { components } from './schema.gen';

export type Name = components['schemas']['Name'];

/** The names to offer for new records: closed stores are left out. */
export const openOnly = (names: readonly Name[]) => names.filter(({ inactive }) => !inactive);

/** The names of one kind of record: `stores` or a list's slug. */
export function useNames(kind: string, enabled = true) {
  return useQuery({
    queryKey: ['names', kind],
    queryFn: ({ signal }) => request('GET', '/api/names/{kind}', { path: { kind }, signal }),
    staleTime: 5 * 60_000,
    enabled,
  });
}

const NONE: ReadonlyMap<string, Name> = new Map();

/** The same, by id. */
export function useNameOf(kind: string, enabled = true): ReadonlyMap<string, Name> {
  const { data } = useNames(kind, enabled);
  return useMemo(() => (data ? new Map(data.map((name) => [name.id, name])) : NONE), [data]);
}

/** Whether a unit comes in whole numbers only, by its id; undefined while unknown. */
export type ComesWhole = (uomId: string | null | undefined) => boolean | undefined;

/** `ComesWhole` from the units' own records. */
export function useComesWhole(): ComesWhole {
  const units = useNameOf('uoms');
  return useCallback((id) => units.get(id ?? '')?.wholeOnly ?? undefined, [units]);
}

interface NamesResult {
  data?: readonly Name[];
}

const combine = (all: readonly NamesResult[]) => ({
  maps: all.map(({ data }) => new Map((data ?? []).map(({ id, name }) => [id, name]))),
  ready: all.every(({ data }) => data),
});

/** A function that returns the name of a record of one of several kinds; null while unknown. */
export function useNamesOf(kinds: readonly string[]): (kind: string, id: unknown) => string | null {
  const results = useQueries({
    queries: kinds.map((kind) => ({
      queryKey: ['names', kind],
      queryFn: ({ signal }: { signal: AbortSignal }) =>
        request('GET', '/api/names/{kind}', { path: { kind }, signal }),
      staleTime: 5 * 60_000,
    })),
    combine,
  });
  return useCallback(
    (kind: string, id: unknown) => {
      if (!id) return null;
      const found = results.maps[kinds.indexOf(kind)]?.get(String(id));
      // While names are loading, show nothing instead of an id.
      return found ?? (results.ready ? String(id) : '');
    },
    [results, kinds],
  );
}
