import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import type { Saved } from '#/form/useRecordForm';
import { clientSource, useServerSource } from '#/table/sources';
import { type TableState, useTableState, writeSort } from '#/table/useTableState';
import { listApi } from './api';
import { baseOf, type ListDef } from './define';
import { List } from './List';
import { moved, useMoves } from './useMoves';

interface Props<T extends Saved> {
  def: ListDef<T>;
}

/** The page of a declared list. */
export function listPage<T extends Saved>(def: ListDef<T>) {
  const Body = def.remote ? RemoteList<T> : LocalList<T>;
  return function Page() {
    return <Body def={def} />;
  };
}

/** The query besides the search words. */
function filtersOf<T extends Saved>(def: ListDef<T>, state: TableState): Record<string, string> {
  const filters: Record<string, string> = {};
  if (def.hides && state.get('show') === 'all') filters[def.hides.param] = 'true';
  for (const name of def.narrows ?? []) {
    const value = state.get(name);
    if (value) filters[name] = value;
  }
  return filters;
}

function LocalList<T extends Saved>({ def }: Props<T>) {
  const state = useTableState();
  const api = useMemo(() => listApi<T>(baseOf(def)), [def]);
  const filters = filtersOf(def, state);
  const cache = ['lists', def.slug, 'all', filters];
  const query = useQuery({
    queryKey: cache,
    queryFn: async ({ signal }) => (await api.all(filters, signal)).items,
  });
  const { data } = query;
  const moves = useMoves(def, api, cache);
  const { underway } = moves;
  const shown = useMemo(() => {
    const rows = data && moved(def, data, underway);
    return rows && (def.shown?.(rows) ?? rows);
  }, [def, data, underway]);
  const source = clientSource({ ...query, data: shown } as typeof query);
  return <List def={def} api={api} state={state} source={source} filters={filters} moves={moves} />;
}

function RemoteList<T extends Saved>({ def }: Props<T>) {
  const state = useTableState();
  const api = useMemo(() => listApi<T>(baseOf(def)), [def]);
  const filters = filtersOf(def, state);
  const query = {
    q: state.q || undefined,
    sort: writeSort(state.sort) ?? undefined,
    ...filters,
  };
  const source = useServerSource<T>(['lists', def.slug, 'page', query], (page, pageSize, signal) =>
    api.page({ ...query, page, pageSize }, signal),
  );
  return <List def={def} api={api} state={state} source={source} filters={filters} />;
}
