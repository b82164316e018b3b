import { useQueries } from '@tanstack/react-query';
import { useCallback, useMemo, useRef, useState } from 'react';
import { Problem } from '#/api/problem';
import type { Source } from './types';

const EMPTY: never[] = [];

/** All rows at once; the table sorts and filters them itself. */
export function clientSource<T>(query: {
  data: readonly T[] | undefined;
  isPending: boolean;
  error: Error | null;
  refetch(): unknown;
}): Source<T> {
  const rows = query.data ?? EMPTY;
  return {
    rows,
    total: rows.length,
    pending: query.isPending,
    error: query.error && !query.data ? Problem.of(query.error) : null,
    retry: () => void query.refetch(),
    remote: false,
  };
}

export interface Answer<T> {
  items: T[];
  total: number;
}

const WINDOW = 100;
/** Rows requested beyond the rendered ones. */
const MARGIN = 40;

/**
 * Loads rows in windows of a hundred: only those in view are requested, however long the list. The
 * old rows stay while a new filter's load.
 */
export function useServerSource<T>(
  key: readonly unknown[],
  fetch: (page: number, pageSize: number, signal: AbortSignal) => Promise<Answer<T>>,
): Source<T> {
  const name = JSON.stringify(key);
  const [need, setNeed] = useState({ name, first: 0, last: 0 });
  // Reset the window when the filter changes.
  const at = need.name === name ? need : { first: 0, last: 0 };
  const pages = useMemo(() => {
    const list = [0];
    for (let page = at.first; page <= at.last; page += 1) if (page > 0) list.push(page);
    return list;
  }, [at.first, at.last]);

  const results = useQueries({
    queries: pages.map((page) => ({
      queryKey: [...key, page],
      queryFn: ({ signal }: { signal: AbortSignal }) => fetch(page + 1, WINDOW, signal),
    })),
  });

  const first = results[0];
  const stamp = results.map(({ dataUpdatedAt }) => dataUpdatedAt).join();
  // biome-ignore lint/correctness/useExhaustiveDependencies: the stamp represents the results
  const rows = useMemo(() => {
    const all = new Array<T | undefined>(first?.data?.total ?? 0).fill(undefined);
    results.forEach(({ data }, i) => {
      const from = (pages[i] ?? 0) * WINDOW;
      data?.items.forEach((item, j) => {
        if (from + j < all.length) all[from + j] = item;
      });
    });
    return all;
  }, [stamp, pages, first?.data]);

  const more = useCallback(
    (from: number, to: number) => {
      const next = {
        name,
        first: Math.floor(Math.max(0, from - MARGIN) / WINDOW),
        last: Math.floor((to + MARGIN) / WINDOW),
      };
      setNeed((now) =>
        now.name === name && now.first === next.first && now.last === next.last ? now : next,
      );
    },
    [name],
  );

  // Refetched pages are shown together: one by one, a row that moves between pages would appear twice, or not at all.
  const kept = useRef<{ name: string; rows: typeof rows }>({ name, rows: EMPTY });
  const arriving = results.length > 1 && results.some(({ data, isFetching }) => data && isFetching);
  if (first?.data && !(arriving && kept.current.name === name)) kept.current = { name, rows };
  const waiting = !first?.data && !first?.error;
  const shown = waiting || first?.data ? kept.current.rows : rows;

  const failed = results.find(({ error }) => error);
  return {
    rows: shown,
    total: shown.length,
    pending: waiting && shown.length === 0,
    error: failed?.error && !first?.data ? Problem.of(failed.error) : null,
    retry: () => {
      for (const result of results) void result.refetch();
    },
    remote: true,
    need: more,
  };
}
