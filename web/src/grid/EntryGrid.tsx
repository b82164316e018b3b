import { useVirtualizer } from '@tanstack/react-virtual';
import {
  type ClipboardEvent,
  type FocusEvent,
  type KeyboardEvent,
  memo,
  type ReactNode,
  useCallback,
  useEffect,
  useMemo,
  useRef,
  useSyncExternalStore,
} from 'react';
import { usePhone } from '#/ui/usePhone';
import { usePrinting } from '#/ui/usePrinting';
import { EntryCell, readsAs, savedText } from './EntryCell';
import classes from './EntryGrid.module.css';
import { type GridModel, placePaste, readPaste } from './model';
import type { Edit, GridColumn, GridGroup } from './types';

interface Props<Row> {
  label: string;
  rows: readonly Row[];
  rowId(row: Row): string;
  rowName(row: Row): string;
  columns: readonly GridColumn<Row>[];
  model: GridModel;
  /** Rows are shown below the headings of their groups, in the order they come. */
  groupOf?(row: Row): GridGroup;
  /** What is wrong with cells, by `row/column`. */
  errors?: ReadonlyMap<string, string>;
  empty?: ReactNode;
  onSave?(): void;
}

type Item<Row> = { group: GridGroup; count: number } | { row: Row; at: number };

const ROW = 38;
const CARD = 92;

/** The grid that many numbers are typed into: arrows and Enter move, paste fills down and across, undo takes back. */
export function EntryGrid<Row>(props: Props<Row>) {
  const { rows, rowId, columns, model, groupOf, errors } = props;
  const phone = usePhone();
  const scroll = useRef<HTMLDivElement>(null);
  const anchor = useRef<{ row: number; column: number } | null>(null);
  const editable = useMemo(() => columns.filter(({ edit }) => edit), [columns]);

  const items = useMemo(() => {
    const list: Item<Row>[] = [];
    let open = '';
    rows.forEach((row, at) => {
      const group = groupOf?.(row);
      if (group && group.id !== open) {
        open = group.id;
        const count = rows.filter((other) => groupOf?.(other).id === group.id).length;
        list.push({ group, count });
      }
      list.push({ row, at });
    });
    return list;
  }, [rows, groupOf]);
  const itemOf = useMemo(() => {
    const places: number[] = [];
    items.forEach((item, i) => {
      if ('row' in item) places[item.at] = i;
    });
    return places;
  }, [items]);

  // Paper gets every row.
  const printing = usePrinting();
  const virtual = useVirtualizer({
    count: items.length,
    getScrollElement: () => scroll.current,
    estimateSize: (i) => (items[i] && 'group' in items[i] ? 32 : phone ? CARD : ROW),
    overscan: printing ? items.length : 12,
    getItemKey: (i) => {
      const item = items[i];
      return item ? ('group' in item ? `#${item.group.id}` : rowId(item.row)) : i;
    },
  });

  const focusCell = useCallback(
    (row: number, column: string): void => {
      const at = itemOf[row];
      if (at === undefined) return;
      virtual.scrollToIndex(at, { align: 'auto' });
      const take = (tries: number) => {
        const cell = scroll.current?.querySelector<HTMLElement>(
          `[data-row="${row}"][data-column="${column}"]`,
        );
        if (cell) cell.focus();
        else if (tries > 0) requestAnimationFrame(() => take(tries - 1));
      };
      take(12);
    },
    [itemOf, virtual],
  );

  /** The next row in a direction whose cell of this column can be typed into. */
  const next = (from: number, step: number, column: GridColumn<Row>): number | null => {
    for (let at = from + step; at >= 0 && at < rows.length; at += step) {
      const row = rows[at];
      if (row !== undefined && (column.edit?.can?.(row) ?? true)) return at;
    }
    return null;
  };

  function onKeyDown(event: KeyboardEvent<HTMLDivElement>): void {
    const target = event.target as HTMLInputElement;
    const command = event.ctrlKey || event.metaKey;
    if (command && event.key.toLowerCase() === 'z' && !event.altKey) {
      event.preventDefault();
      const step = event.shiftKey ? model.redo() : model.undo();
      const first = step?.[0];
      if (first)
        focusCell(
          rows.findIndex((row) => rowId(row) === first.row),
          first.column,
        );
      return;
    }
    if (command && event.key.toLowerCase() === 'y') {
      event.preventDefault();
      model.redo();
      return;
    }
    if (command && (event.key === 's' || event.key === 'Enter')) {
      event.preventDefault();
      props.onSave?.();
      return;
    }
    const at = Number(target.dataset.row);
    const column = editable.find(({ id }) => id === target.dataset.column);
    if (!column || Number.isNaN(at) || target.tagName === 'SELECT') return;
    const row = rows[at];
    if (row === undefined) return;
    if (command && event.key.toLowerCase() === 'd') {
      event.preventDefault();
      const above = next(at, -1, column);
      const source = above === null ? undefined : rows[above];
      if (source !== undefined) {
        const edit = column.edit as Edit<unknown>;
        const text = model.text(rowId(source), column.id) ?? savedText(edit, source);
        const as = readsAs(edit, row);
        model.set([{ row: rowId(row), column: column.id, text, ...(as && { as }) }]);
        model.commit();
      }
      return;
    }
    const caretInside = target.dataset.editing === 'true';
    const go = (to: number | null, name = column.id) => {
      if (to === null) return;
      event.preventDefault();
      focusCell(to, name);
    };
    const sideways = (step: number) => {
      const place = editable.indexOf(column) + step;
      const other = editable[place];
      if (other) go(at, other.id);
    };
    switch (event.key) {
      case 'Enter':
        event.preventDefault();
        go(next(at, event.shiftKey ? -1 : 1, column));
        break;
      case 'ArrowDown':
        go(next(at, 1, column));
        break;
      case 'ArrowUp':
        go(next(at, -1, column));
        break;
      case 'ArrowRight':
        if (!caretInside) sideways(1);
        break;
      case 'ArrowLeft':
        if (!caretInside) sideways(-1);
        break;
      case 'PageDown':
        go(Math.min(rows.length - 1, at + 12));
        break;
      case 'PageUp':
        go(Math.max(0, at - 12));
        break;
      case 'Home':
        if (command) go(next(-1, 1, column));
        break;
      case 'End':
        if (command) go(next(rows.length, -1, column));
        break;
      case 'Escape':
        if (model.text(rowId(row), column.id) !== undefined) {
          event.preventDefault();
          event.stopPropagation();
          model.restore(rowId(row), column.id);
        }
        break;
      case 'F2':
        event.preventDefault();
        target.dataset.editing = 'true';
        target.setSelectionRange(target.value.length, target.value.length);
        break;
      default:
    }
  }

  function onPaste(event: ClipboardEvent<HTMLDivElement>): void {
    const target = event.target as HTMLInputElement;
    const cells = readPaste(event.clipboardData.getData('text/plain'));
    const at = Number(target.dataset.row);
    const column = editable.findIndex(({ id }) => id === target.dataset.column);
    if (column < 0 || Number.isNaN(at) || (cells.length === 1 && cells[0]?.length === 1)) return;
    event.preventDefault();
    // Into every row from here on that can be typed into.
    const open = rows.slice(at).filter((row) => editable[column]?.edit?.can?.(row) ?? true);
    const byId = new Map(open.map((row) => [rowId(row), row]));
    const entries = placePaste(
      cells,
      open.map(rowId),
      editable.map(({ id }) => id),
      { row: 0, column },
      (id, name) => {
        const into = byId.get(id);
        const edit = editable.find((one) => one.id === name)?.edit;
        return into && edit ? readsAs(edit as Edit<unknown>, into) : undefined;
      },
    );
    model.commit();
    model.set(entries);
    model.commit();
  }

  function onFocus(event: FocusEvent<HTMLDivElement>): void {
    const { row, column } = (event.target as HTMLElement).dataset;
    if (row === undefined || column === undefined) return;
    model.commit();
    anchor.current = { row: Number(row), column: editable.findIndex(({ id }) => id === column) };
  }

  const foot = columns.some((column) => column.foot);
  const template = columns
    .map(({ width }) => (width ? `${width}px` : 'minmax(220px, 1fr)'))
    .join(' ');
  const least = columns.reduce((sum, { width }) => sum + (width ?? 220), 0);

  return (
    <div
      ref={scroll}
      role="grid"
      aria-label={props.label}
      aria-rowcount={rows.length + 1}
      aria-colcount={columns.length}
      className={classes.grid}
      data-phone={phone || undefined}
      tabIndex={-1}
      onKeyDown={onKeyDown}
      onPaste={onPaste}
      onFocus={onFocus}
    >
      <div className={classes.inner} style={phone ? undefined : { minWidth: least }}>
        {!phone && (
          <div
            role="row"
            tabIndex={-1}
            className={classes.head}
            style={{ gridTemplateColumns: template }}
          >
            {columns.map((column) => (
              <div
                key={column.id}
                role="columnheader"
                tabIndex={-1}
                data-right={column.right || undefined}
              >
                {column.label}
              </div>
            ))}
          </div>
        )}
        {rows.length === 0 && props.empty && (
          <div role="row" tabIndex={-1}>
            <div role="gridcell" tabIndex={-1} className={classes.empty}>
              {props.empty}
            </div>
          </div>
        )}
        <div role="presentation" style={{ height: virtual.getTotalSize(), position: 'relative' }}>
          {virtual.getVirtualItems().map(({ index, key, start }) => {
            const item = items[index];
            if (!item) return null;
            const place = { transform: `translateY(${start}px)` };
            if ('group' in item) {
              return (
                <div key={key} role="row" tabIndex={-1} className={classes.group} style={place}>
                  <div role="rowheader" tabIndex={-1}>
                    <b>{item.group.label}</b> <span className="num">{item.count}</span>
                  </div>
                </div>
              );
            }
            return (
              <GridLine
                key={key}
                row={item.row}
                at={item.at}
                id={rowId(item.row)}
                name={props.rowName(item.row)}
                columns={columns as readonly GridColumn<unknown>[]}
                model={model}
                errors={errors}
                template={template}
                start={start}
                phone={phone}
                measure={phone ? virtual.measureElement : undefined}
                index={index}
              />
            );
          })}
        </div>
        {foot && !phone && <Foot columns={columns} model={model} template={template} />}
      </div>
    </div>
  );
}

interface LineProps {
  row: unknown;
  at: number;
  id: string;
  name: string;
  columns: readonly GridColumn<unknown>[];
  model: GridModel;
  errors?: ReadonlyMap<string, string> | undefined;
  template: string;
  start: number;
  phone: boolean;
  measure?: ((element: Element | null) => void) | undefined;
  index: number;
}

/** One row; it is drawn again when something in it changes, and for nothing else. */
const GridLine = memo(function GridLine(props: LineProps) {
  const { row, at, id, columns, model, errors, template, start, phone } = props;
  useSyncExternalStore(
    useCallback((tell) => model.onRow(id, tell), [model, id]),
    () => model.version(id),
  );
  const cell = (column: GridColumn<unknown>) => {
    const canEdit = column.edit && (column.edit.can?.(row) ?? true);
    if (column.edit && canEdit) {
      return (
        <EntryCell
          edit={column.edit}
          row={row}
          at={at}
          id={id}
          column={column.id}
          label={`${column.label}, ${props.name}`}
          model={model}
          error={errors?.get(`${id}/${column.id}`)}
          phone={phone}
        />
      );
    }
    if (column.cell) return column.cell(row);
    const value = column.edit?.value(row);
    return value == null ? '–' : String(value);
  };
  if (phone) {
    const primary = columns.find((column) => column.primary);
    const subs = columns.filter((column) => column.phone === 'sub' && !column.edit);
    const edits = columns.filter((column) => column.edit && column.phone !== 'none');
    return (
      <div
        role="row"
        tabIndex={-1}
        aria-rowindex={at + 2}
        className={classes.card}
        style={{ transform: `translateY(${start}px)` }}
        ref={props.measure}
        data-index={props.index}
      >
        <div role="gridcell" tabIndex={-1} className={classes.cardText}>
          <div className={classes.cardName}>{primary?.cell?.(row) ?? props.name}</div>
          <div className={classes.cardSub}>
            {subs.map((column) => (
              <span key={column.id}>
                {column.label} {column.cell?.(row)}
              </span>
            ))}
          </div>
        </div>
        {edits.map((column) => (
          <div
            key={column.id}
            role="gridcell"
            tabIndex={-1}
            className={classes.cardCell}
            data-kind={column.edit?.kind}
          >
            {edits.length > 1 && <span className={classes.cardLabel}>{column.label}</span>}
            {cell(column)}
          </div>
        ))}
      </div>
    );
  }
  return (
    <div
      role="row"
      tabIndex={-1}
      aria-rowindex={at + 2}
      className={classes.row}
      style={{ transform: `translateY(${start}px)`, gridTemplateColumns: template }}
    >
      {columns.map((column) => (
        <div
          key={column.id}
          role={column.primary ? 'rowheader' : 'gridcell'}
          tabIndex={-1}
          data-right={column.right || undefined}
          data-edit={column.edit && (column.edit.can?.(row) ?? true) ? '' : undefined}
          className={classes.cell}
        >
          {cell(column)}
        </div>
      ))}
    </div>
  );
});

function Foot<Row>({
  columns,
  model,
  template,
}: {
  columns: readonly GridColumn<Row>[];
  model: GridModel;
  template: string;
}) {
  useStamp(model);
  return (
    <div
      role="row"
      tabIndex={-1}
      className={classes.foot}
      style={{ gridTemplateColumns: template }}
    >
      {columns.map((column) => (
        <div key={column.id} role="gridcell" tabIndex={-1} data-right={column.right || undefined}>
          {column.foot?.()}
        </div>
      ))}
    </div>
  );
}

/** Draws again with every change of the grid. */
export function useStamp(model: GridModel): number {
  return useSyncExternalStore(
    useCallback((tell) => model.onAny(tell), [model]),
    () => model.stamp,
  );
}

/** A grid's model that lives as long as the screen. */
export function useGridModel(make: () => GridModel): GridModel {
  const model = useRef<GridModel>(null);
  model.current ??= make();
  useEffect(() => () => model.current?.commit(), []);
  return model.current;
}
