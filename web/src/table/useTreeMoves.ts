import { type RefObject, useEffect, useRef } from 'react';
import type { DataTableProps } from './DataTable';
import type { GridHandle, GridRow } from './Grid';
import type { Branch, Tree } from './tree';
import { dropTo, type Movable, type Step, stepTo, type TreePlace, type Zone } from './treeMoves';

/** How long focus follows a moved row while rows change. */
const FOLLOW_MS = 1500;

interface Followed {
  key: string;
  until: number;
}

interface Options<T> {
  /** All rows, also those that are not shown. */
  all: readonly T[];
  /** The tree that is shown now. */
  tree: Tree<T> | undefined;
  moves: DataTableProps<T>['moves'];
  filtered: boolean;
  branches: ReadonlyMap<string, Branch> | null;
  rowOf(key: string): T | undefined;
  /** Opens a branch. */
  onOpen(key: string): void;
}

/** Moving of rows in a tree, by dragging and by key. */
export function useTreeMoves<T>(options: Options<T>) {
  const { all, tree, moves, filtered, branches, rowOf, onOpen } = options;
  const followed = useRef<Followed | null>(null);
  // A filtered tree does not show all siblings, so positions between them are unknown.
  const movable: Movable<T> | null =
    tree && moves && !filtered
      ? { ...tree, ordered: moves.ordered, fits: moves.fits ?? (() => true) }
      : null;
  if (!movable) return { followed };

  function put(key: string, place: TreePlace | null): void {
    const row = rowOf(key);
    if (!row || !place || !moves) return;
    followed.current = { key, until: Date.now() + FOLLOW_MS };
    // Open the new parent, or the row would seem lost.
    if (place.under !== null) onOpen(place.under);
    moves.onMove(row, place);
  }

  const place = (id: string, over: string, zone: Zone) =>
    dropTo(all, movable, id, over, zone, branches?.get(over)?.open === true);

  return {
    followed,
    step: (id: string, way: Step) => put(id, stepTo(all, movable, id, way)),
    drag: {
      ordered: movable.ordered,
      may: (id: string, over: string, zone: Zone) => place(id, over, zone) !== null,
      drop: (id: string, over: string, zone: Zone) => put(id, place(id, over, zone)),
    },
  };
}

/** Moves focus with a moved row: at once, and again after the response. */
export function useFollow<T>(
  followed: RefObject<Followed | null>,
  rows: readonly GridRow<T>[],
  grid: RefObject<GridHandle | null>,
): void {
  useEffect(() => {
    const { key, until } = followed.current ?? { key: '', until: 0 };
    const elsewhere = document.activeElement?.closest('input, [role="dialog"]');
    if (Date.now() > until || elsewhere) return;
    const at = rows.findIndex((row) => row.key === key);
    if (at >= 0) grid.current?.go(at);
  }, [followed, rows, grid]);
}
