import { Button } from '@mantine/core';
import {
  type Icon,
  IconAlertTriangle,
  IconInbox,
  IconLock,
  IconSearchOff,
  IconX,
} from '@tabler/icons-react';
import {
  columnVisibilityFeature,
  createSortedRowModel,
  rowSelectionFeature,
  rowSortingFeature,
  type SortingState,
  tableFeatures,
  useTable,
} from '@tanstack/react-table';
import { type ReactNode, useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { EmptyState } from '#/ui/EmptyState';
import { ExportButton } from '#/ui/ExportButton';
import { count } from '#/ui/format';
import { Page } from '#/ui/Page';
import { PaperLine } from '#/ui/PaperLine';
import { usePhone } from '#/ui/usePhone';
import classes from './DataTable.module.css';
import { compare, matching } from './filter';
import { Grid, type GridRow } from './Grid';
import { RowMenu, type RowMenuAt } from './RowMenu';
import { ColumnsButton, FilterBox, Toolbar } from './Toolbar';
import { asTree, type Tree, withAncestors } from './tree';
import { dropTo, type Movable, type Step, stepTo, type TreePlace, type Zone } from './treeMoves';
import type { BulkAction, CellValue, Column, RowAction, Source } from './types';
import { useColumns } from './useColumns';
import { useFrozenRows } from './useFrozenRows';
import { useRecentlyChanged } from './useRecentlyChanged';
import { useReturnToRow } from './useReturnToRow';
import { useTableKeys } from './useTableKeys';
import { type TableState, writeSort } from './useTableState';

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

/** How long focus follows a moved row while rows change. */
const FOLLOW_MS = 1500;

export interface DataTableProps<T> {
  /** The key under which the chosen columns are stored. */
  id: string;
  title: string;
  back?: ReactNode;
  aside?: ReactNode;
  /** «unit of measure», «units of measure». */
  one: string;
  many: string;
  source: Source<T>;
  columns: readonly Column<T>[];
  rowId(row: T): string;
  rowLabel(row: T): string;
  state: TableState;
  placeholder?: string;
  /** Segments and filters beside the filter box. */
  filters?: ReactNode;
  /** Whether those filters are set, which decides between «nothing matches» and «nothing yet». */
  narrowed?: boolean;
  onClear?(): void;
  actions?: ReactNode;
  /** Between the head and the filters: tabs, notices. */
  above?: ReactNode;
  /** What was asked, said on paper. */
  paper?: ReactNode;
  onOpen?(row: T): void;
  hrefOf?(row: T): string;
  /** Called for the key «e», where editing differs from opening. */
  onEdit?(row: T): void;
  onNew?(): void;
  rowActions?: readonly RowAction<T>[];
  bulkActions?: readonly BulkAction<T>[];
  exportHref?(format: 'csv' | 'xlsx'): string;
  tree?: Tree<T>;
  /** Moving of rows in a tree. */
  moves?: {
    ordered: boolean;
    fits?(row: T, under: T | null): boolean;
    onMove(row: T, place: TreePlace): void;
  };
  /** Whether a row is a heading. */
  heading?(row: T): boolean;
  icon?: Icon;
  empty?: { title?: string; text?: string; action?: ReactNode };
  /** A row of sums at the foot. */
  totals?: boolean;
  faded?(row: T): boolean;
  /** Whether a row is the one that is shown beside the table. */
  current?(row: T): boolean;
  /** Without the page around it. */
  bare?: boolean;
  /** Without filter and tools. */
  plain?: boolean;
  /** A row is being edited in place, so rows must not move. */
  hold?: boolean;
}

/** The table of every list: filter, columns, sorting, selection, tree, keyboard. */
export function DataTable<T>(props: DataTableProps<T>) {
  const { id, source, columns, rowId, state, tree } = props;
  const box = useRef<HTMLInputElement>(null);
  const phone = usePhone();
  const shown = useColumns(id, columns);
  const [picked, setPicked] = useState<Record<string, true>>({});
  const [closed, setClosed] = useState<ReadonlySet<string>>(new Set());
  const [menu, setMenu] = useState<RowMenuAt<T> | null>(null);
  const treeNow = tree && !state.sort ? tree : undefined;
  const all = source.rows as readonly T[];

  const { list, branches } = useMemo(() => {
    if (source.remote) return { list: source.rows, branches: null };
    let found: readonly T[] = matching(all, columns, state.q);
    if (!treeNow) return { list: found, branches: null };
    if (state.q) found = withAncestors(found, all, treeNow);
    const { rows, branches } = asTree(found, treeNow, state.q ? new Set() : closed);
    return { list: rows, branches };
  }, [source.remote, source.rows, all, columns, state.q, treeNow, closed]);

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
    // Rows from the server are already filtered and sorted.
    data: source.remote ? NONE : data,
    columns: definitions,
    getRowId: (slot: Slot<T>) => slot.key,
    manualSorting: source.remote,
    state: { sorting, columnVisibility: shown.visibility, rowSelection: picked },
    onRowSelectionChange: setPicked,
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
  // An open record counts as being edited.
  const rows = useFrozenRows(current, props.hold === true || Boolean(state.get('open')));
  const fresh = useRecentlyChanged(rows);
  const visible = useMemo(
    () => columns.filter(({ id }) => shown.visibility[id] !== false),
    [columns, shown.visibility],
  );
  const chosen = useMemo(
    () =>
      Object.keys(picked).length === 0
        ? []
        : data.flatMap(({ key, row }) => (picked[key] && row ? [row] : [])),
    [data, picked],
  );
  const selectable = (props.bulkActions?.length ?? 0) > 0;

  const pick = useCallback((keys: readonly string[], on: boolean) => {
    setPicked((now) => {
      const next = { ...now };
      for (const key of keys) {
        if (on) next[key] = true;
        else delete next[key];
      }
      return next;
    });
  }, []);

  const { heading, moves } = props;
  // A filtered tree does not show all siblings, so positions between them are unknown.
  const movable: Movable<T> | null =
    treeNow && moves && !state.q
      ? { ...treeNow, ordered: moves.ordered, fits: moves.fits ?? (() => true) }
      : null;
  const followed = useRef<{ key: string; until: number } | null>(null);

  function put(key: string, place: TreePlace | null): void {
    const row = data.find((slot) => slot.key === key)?.row;
    if (!row || !place || !moves) return;
    followed.current = { key, until: Date.now() + FOLLOW_MS };
    // Open the new parent, or the row would seem lost.
    const { under } = place;
    if (under !== null && closed.has(under)) {
      setClosed(new Set([...closed].filter((one) => one !== under)));
    }
    moves.onMove(row, place);
  }

  const place = (id: string, over: string, zone: Zone) =>
    movable && dropTo(all, movable, id, over, zone, branches?.get(over)?.open === true);
  const step = (id: string, way: Step) => put(id, movable && stepTo(all, movable, id, way));

  const keys = useTableKeys({
    rows,
    box,
    onOpen: props.onOpen && ((row) => heading?.(row) || props.onOpen?.(row)),
    onEdit: props.onEdit && ((row) => heading?.(row) || props.onEdit?.(row)),
    onNew: props.onNew,
    onPick: selectable
      ? (key) => {
          const row = data.find((slot) => slot.key === key)?.row;
          if (row && !heading?.(row)) pick([key], !picked[key]);
        }
      : undefined,
    onStep: movable ? step : undefined,
  });

  const { grid } = keys;
  // Focus follows a moved row: at once, and again after the response.
  useEffect(() => {
    const { key, until } = followed.current ?? { key: '', until: 0 };
    const elsewhere = document.activeElement?.closest('input, [role="dialog"]');
    if (Date.now() > until || elsewhere) return;
    const at = rows.findIndex((row) => row.key === key);
    if (at >= 0) grid.current?.go(at);
  }, [rows, grid]);

  useReturnToRow(id, rows, grid, state.get('open') ?? '');

  function sortBy(column: string): void {
    const now = state.sort;
    // Ascending, descending, then the list's own order.
    const next =
      now?.by !== column
        ? { by: column, down: false }
        : now.down
          ? null
          : { by: column, down: true };
    state.set({ sort: writeSort(next) });
  }

  const setQ = useCallback((q: string) => state.set({ q }), [state]);
  const narrowed = Boolean(state.q) || Boolean(props.narrowed);
  const none = !source.pending && !source.error && rows.length === 0;

  const content = (
    <>
      {!props.plain && (
        <Toolbar
          left={
            <>
              <FilterBox
                box={box}
                value={state.q}
                wait={source.remote ? 200 : 40}
                placeholder={props.placeholder ?? `Filter ${props.many}`}
                onChange={setQ}
              />
              {props.filters}
            </>
          }
          right={
            <>
              {!phone && <ColumnsButton columns={columns} {...shown} />}
              {props.exportHref && <ExportButton href={props.exportHref} />}
            </>
          }
        />
      )}
      <div className={classes.frame}>
        <Grid
          label={props.title}
          rows={rows}
          columns={visible}
          phone={phone}
          pending={source.pending}
          sort={state.sort}
          onSort={sortBy}
          picked={picked}
          onPick={selectable ? pick : undefined}
          rowLabel={props.rowLabel}
          onOpen={props.onOpen}
          hrefOf={props.hrefOf}
          onMenu={props.rowActions?.length ? setMenu : undefined}
          onBranch={
            treeNow &&
            ((key) =>
              setClosed((now) => {
                const next = new Set(now);
                if (!next.delete(key)) next.add(key);
                return next;
              }))
          }
          moves={
            movable
              ? {
                  ordered: movable.ordered,
                  may: (id, over, zone) => place(id, over, zone) !== null,
                  drop: (id, over, zone) => put(id, place(id, over, zone)),
                }
              : undefined
          }
          heading={heading}
          need={source.need}
          grid={keys.grid}
          totals={props.totals && rows.length > 0}
          faded={props.faded}
          current={props.current}
          fresh={fresh}
        >
          {source.error ? (
            <Failed {...props} />
          ) : none ? (
            narrowed ? (
              <NoMatch {...props} />
            ) : (
              <NothingYet {...props} />
            )
          ) : null}
        </Grid>
        {chosen.length > 0 && (
          <section className={classes.bar} aria-label="Selection" data-foot>
            <strong className="num">{count(chosen.length)} selected</strong>
            <span className={classes.barLine} />
            {props.bulkActions?.map(({ label, danger, run }) => (
              <Button
                key={label}
                size="xs"
                variant="default"
                c={danger ? 'var(--danger)' : undefined}
                onClick={() => run(chosen, () => setPicked({}))}
              >
                {label}
              </Button>
            ))}
            <button
              type="button"
              className={classes.barClose}
              aria-label="Clear selection"
              onClick={() => setPicked({})}
            >
              <IconX size={17} aria-hidden />
            </button>
          </section>
        )}
      </div>
      {menu && props.rowActions && (
        <RowMenu at={menu} actions={props.rowActions} onClose={() => setMenu(null)} />
      )}
    </>
  );

  if (props.bare) return content;
  return (
    <Page
      fill
      title={props.title}
      back={props.back}
      aside={
        props.aside ??
        (source.pending || source.error
          ? undefined
          : `${count(branches ? matched(source, state.q, list) : rows.length)} ${rows.length === 1 ? props.one : props.many}`)
      }
      actions={props.actions}
    >
      <PaperLine>{props.paper}</PaperLine>
      {props.above}
      {content}
    </Page>
  );
}

/** Rows of closed branches still count in the number of records. */
function matched<T>(source: Source<T>, q: string, list: readonly unknown[]): number {
  return q ? list.length : source.total;
}

function NothingYet<T>({ icon = IconInbox, many, empty }: DataTableProps<T>) {
  return (
    <EmptyState
      icon={icon}
      title={empty?.title ?? `No ${many} yet`}
      text={empty?.text}
      action={empty?.action}
    />
  );
}

function NoMatch<T>({ many, state, onClear }: DataTableProps<T>) {
  return (
    <EmptyState
      icon={IconSearchOff}
      title={state.q ? `No ${many} match “${state.q}”` : `No ${many} match`}
      text="Check the spelling or clear the filter."
      action={
        <Button variant="default" onClick={onClear ?? (() => state.set({ q: null }))}>
          Clear filter
        </Button>
      }
    />
  );
}

function Failed<T>({ source, many }: DataTableProps<T>) {
  const problem = source.error;
  if (problem?.status === 403) {
    return (
      <EmptyState
        icon={IconLock}
        role="alert"
        title="Not Authorized"
        text={`You don't have access to ${many}. Your administrator can give it to you.`}
      />
    );
  }
  return (
    <EmptyState
      icon={IconAlertTriangle}
      role="alert"
      title={`The ${many} could not be loaded`}
      text={problem?.message}
      action={
        <Button variant="default" onClick={source.retry}>
          Try again
        </Button>
      }
    />
  );
}
