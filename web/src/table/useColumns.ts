import { useCallback, useMemo, useState } from 'react';
import type { Column } from './types';

export type Visibility = Record<string, boolean>;

const keyOf = (table: string) => `larder:columns:${table}`;

function read(table: string): Visibility {
  try {
    const stored = localStorage.getItem(keyOf(table));
    return stored ? (JSON.parse(stored) as Visibility) : {};
  } catch {
    return {};
  }
}

/** Which columns are shown; a choice is remembered on this device. */
export function useColumns<T>(table: string, columns: readonly Column<T>[]) {
  const [chosen, setChosen] = useState<Visibility>(() => read(table));

  const save = useCallback(
    (next: Visibility) => {
      setChosen(next);
      try {
        if (Object.keys(next).length) localStorage.setItem(keyOf(table), JSON.stringify(next));
        else localStorage.removeItem(keyOf(table));
      } catch {
        // Storage is full or switched off: the choice lasts until a reload.
      }
    },
    [table],
  );

  const visibility = useMemo(() => {
    const all: Visibility = {};
    for (const { id, hidden, primary } of columns) {
      all[id] = primary || (chosen[id] ?? !hidden);
    }
    return all;
  }, [columns, chosen]);
  return {
    visibility,
    changed: Object.keys(chosen).length > 0,
    show: (id: string, on: boolean) => save({ ...chosen, [id]: on }),
    reset: () => save({}),
  };
}
