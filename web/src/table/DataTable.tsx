import type { Icon } from '@tabler/icons-react';
import { type ReactNode, useCallback, useMemo, useRef, useState } from 'react';
import { ExportButton } from '#/ui/ExportButton';
import { count } from '#/ui/format';
import { Page } from '#/ui/Page';
import { PaperLine } from '#/ui/PaperLine';
import { usePhone } from '#/ui/usePhone';
import classes from './DataTable.module.css';
import { Grid } from './Grid';
import { NoRows } from './NoRows';
import { RowMenu, type RowMenuAt } from './RowMenu';
import { SelectionBar } from './SelectionBar';
import { ColumnsButton, FilterBox, Toolbar } from './Toolbar';
import type { Tree } from './tree';
import type { TreePlace } from './treeMoves';
import type { BulkAction, Column, RowAction, Source } from './types';
import { useColumns } from './useColumns';
import { useFrozenRows } from './useFrozenRows';
import { useRecentlyChanged } from './useRecentlyChanged';
import { useReturnToRow } from './useReturnToRow';
import { type Picked, useRows } from './useRows';
import { useTableKeys } from './useTableKeys';
import { type TableState, writeSort } from './useTableState';
import { useFollow, useTreeMoves } from './useTreeMoves';

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
  /** What it is of, in the title on paper. */
  place?: string | undefined;
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
  /** Whether a row can be selected; without it each one can. */
  pickable?(row: T): boolean;
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
  const { id, source, columns, rowId, state, tree, pickable } = props;
  const box = useRef<HTMLInputElement>(null);
  const phone = usePhone();
  const shown = useColumns(id, columns);
  const [picked, setPicked] = useState<Picked>({});
  const [closed, setClosed] = useState<ReadonlySet<string>>(new Set());
  const [menu, setMenu] = useState<RowMenuAt<T> | null>(null);
  const treeNow = tree && !state.sort ? tree : undefined;

  const { list, branches, data, current } = useRows({
    source,
    columns,
    rowId,
    state,
    tree: treeNow,
    closed,
    visibility: shown.visibility,
    picked,
    onPicked: setPicked,
  });
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
        : data.flatMap(({ key, row }) =>
            picked[key] && row && pickable?.(row) !== false ? [row] : [],
          ),
    [data, picked, pickable],
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

  const toggle = (key: string) =>
    setClosed((now) => {
      const next = new Set(now);
      if (!next.delete(key)) next.add(key);
      return next;
    });

  const { heading } = props;
  const rowOf = (key: string) => data.find((slot) => slot.key === key)?.row;
  const moving = useTreeMoves({
    all: source.rows as readonly T[],
    tree: treeNow,
    moves: props.moves,
    filtered: state.q !== '',
    branches,
    rowOf,
    onOpen: (key) => closed.has(key) && toggle(key),
  });

  const keys = useTableKeys({
    rows,
    box,
    onOpen: props.onOpen && ((row) => heading?.(row) || props.onOpen?.(row)),
    onEdit: props.onEdit && ((row) => heading?.(row) || props.onEdit?.(row)),
    onNew: props.onNew,
    onPick: selectable
      ? (key) => {
          const row = rowOf(key);
          if (row && !heading?.(row) && pickable?.(row) !== false) pick([key], !picked[key]);
        }
      : undefined,
    onStep: moving.step,
  });

  const { grid } = keys;
  useFollow(moving.followed, rows, grid);
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
  const empty = source.error || (!source.pending && rows.length === 0);
  const found =
    source.pending || source.error
      ? undefined
      : branches
        ? matched(source, state.q, list)
        : rows.length;

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
      <div className={classes.frame} data-count={found}>
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
          onBranch={treeNow && toggle}
          moves={moving.drag}
          heading={heading}
          pickable={pickable}
          need={source.need}
          grid={keys.grid}
          totals={props.totals && rows.length > 0}
          faded={props.faded}
          current={props.current}
          fresh={fresh}
        >
          {empty && <NoRows {...props} />}
        </Grid>
        {chosen.length > 0 && (
          <SelectionBar rows={chosen} actions={props.bulkActions} onClear={() => setPicked({})} />
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
      place={props.place}
      back={props.back}
      aside={
        props.aside ??
        (found === undefined
          ? undefined
          : `${count(found)} ${rows.length === 1 ? props.one : props.many}`)
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
