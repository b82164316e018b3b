import { useCallback, useMemo } from 'react';
import { useSearchParams } from 'react-router';
import type { Sort } from './types';

/** `-name` ↔ { by: 'name', down: true } */
export function readSort(text: string | null): Sort | null {
  if (!text) return null;
  const down = text.startsWith('-');
  const by = down ? text.slice(1) : text;
  return by ? { by, down } : null;
}

export function writeSort(sort: Sort | null): string | null {
  return sort && `${sort.down ? '-' : ''}${sort.by}`;
}

export interface TableState {
  q: string;
  sort: Sort | null;
  /** A filter's value, '' when it is not set. */
  get(name: string): string;
  /** Sets several values together; empty ones leave the address. `push` adds a history entry. */
  set(values: Record<string, string | null>, push?: boolean): void;
}

/** A list's state in the address, so that back and reload keep it. */
export function useTableState(): TableState {
  const [search, setSearch] = useSearchParams();

  const set = useCallback(
    (values: Record<string, string | null>, push = false) => {
      setSearch(
        (now) => {
          const next = new URLSearchParams(now);
          for (const [name, value] of Object.entries(values)) {
            if (value) next.set(name, value);
            else next.delete(name);
          }
          return next;
        },
        { replace: !push, preventScrollReset: true },
      );
    },
    [setSearch],
  );

  return useMemo(
    () => ({
      q: search.get('q') ?? '',
      sort: readSort(search.get('sort')),
      get: (name) => search.get(name) ?? '',
      set,
    }),
    [search, set],
  );
}
