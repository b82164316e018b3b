import {
  columnVisibilityFeature,
  createSortedRowModel,
  rowSelectionFeature,
  rowSortingFeature,
  type SortingState,
  tableFeatures,
  useTable,
} from '@tanstack/react-table';
import { type Dispatch, type SetStateAction, useMemo } from 'react';
import { compare, matching } from './filter';
import type { GridRow } from './Grid';
import { asTree, type Tree, withAncestors } from './tree';
import type { CellValue, Column, Source } from './types';
import type { Visibility } from './useColumns';
import type { TableState } from './useTableState';

const features = tableFeatures({
  columnVisibilityFeature,
  rowSelectionFeature,
  rowSortingFeature,
  sortedRowModel: createSortedRowModel(),
});

/** A row with its key; the row is undefined while it loads. */
interface Slot<T> {
  key: string;
  row: T | undefined;
}

const NONE: never[] = [];

/** The keys of the selected rows. */
export type Picked = Record<string, true>;

interface Options<T> {
  source: Source<T>;
  columns: readonly Column<T>[];
  rowId(row: T): string;
  state: TableState;
  /** The tree that is shown now. */
  tree: Tree<T> | undefined;
  /** The keys of its closed branches. */
  closed: ReadonlySet<string>;
  visibility: Visibility;
  picked: Picked;
  onPicked: Dispatch<SetStateAction<Picked>>;
}

/** The rows of a table: filtered, as a tree, sorted. Rows from the server are already filtered and sorted. */
export function useRows<T>(options: Options<T>) {
  const { source, columns, rowId, state, tree, closed, picked } = options;

  const { list, branches } = useMemo(() => {
    if (source.remote) return { list: source.rows, branches: null };
    const all = source.rows as readonly T[];
    let found: readonly T[] = matching(all, columns, state.q);
    if (!tree) return { list: found, branches: null };
    if (state.q) found = withAncestors(found, all, tree);
    const { rows, branches } = asTree(found, tree, state.q ? new Set() : closed);
    return { list: rows, branches };
  }, [source.remote, source.rows, columns, state.q, tree, closed]);

  const data = useMemo<Slot<T>[]>(
    () => list.map((row, i) => ({ key: row ? rowId(row) : `#${i}`, row })),
    [list, rowId],
  );

  const definitions = useMemo(
    () =>
      columns.map((column) => ({
        id: column.id,
        accessorFn: ({ row }: Slot<T>): CellValue =>
          row ? (column.value(row) ?? undefined) : undefined,
        enableSorting: column.sortable !== false,
        sortUndefined: 'last' as const,
        sortFn: (
          a: { getValue(id: string): unknown },
          b: { getValue(id: string): unknown },
          by: string,
        ) => compare(a.getValue(by) as CellValue, b.getValue(by) as CellValue),
      })),
    [columns],
  );

  const sorting: SortingState = useMemo(
    () => (state.sort ? [{ id: state.sort.by, desc: state.sort.down }] : []),
    [state.sort],
  );

  const table = useTable({
    features,
    data: source.remote ? NONE : data,
    columns: definitions,
    getRowId: (slot: Slot<T>) => slot.key,
    manualSorting: source.remote,
    state: { sorting, columnVisibility: options.visibility, rowSelection: picked },
    onRowSelectionChange: options.onPicked,
  });

  const ordered = table.getRowModel().rows;
  const current = useMemo<readonly GridRow<T>[]>(
    () =>
      source.remote
        ? data
        : ordered.map(({ id, original }) => ({
            key: id,
            row: original.row,
            branch: branches?.get(id),
          })),
    [source.remote, data, ordered, branches],
  );

  return { list, branches, data, current };
}
