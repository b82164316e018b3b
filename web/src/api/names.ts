import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { api, body } from './client';
import type { components } from './schema.gen';

export type Name = components['schemas']['Name'];

/** The names behind references of one kind: `stores` or a list's slug. */
export function useNames(kind: string, enabled = true) {
  return useQuery({
    queryKey: ['names', kind],
    queryFn: ({ signal }) =>
      body(api.GET('/api/names/{kind}', { params: { path: { kind } }, signal })),
    staleTime: 5 * 60_000,
    enabled,
  });
}

const NONE: ReadonlyMap<string, Name> = new Map();

/** Looks a name up by id. */
export function useNameOf(kind: string, enabled = true): ReadonlyMap<string, Name> {
  const { data } = useNames(kind, enabled);
  return useMemo(() => (data ? new Map(data.map((name) => [name.id, name])) : NONE), [data]);
}
