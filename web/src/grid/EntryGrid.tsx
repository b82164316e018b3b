import { VisuallyHidden } from '@mantine/core';
import { useVirtualizer } from '@tanstack/react-virtual';
import {
  type CSSProperties,
  type FocusEvent,
  type KeyboardEvent,
  type ReactNode,
  useCallback,
  useEffect,
  useMemo,
  useRef,
  useSyncExternalStore,
} from 'react';
import { usePhone } from '#/ui/usePhone';
import { usePrinting } from '#/ui/usePrinting';
import classes from './EntryGrid.module.css';
import { GridLine } from './GridLine';
import { paste, pressKey } from './gridKeys';
import { useItems } from './items';
import type { GridModel } from './model';
import type { GridColumn, GridGroup } from './types';
import { useRefusal } from './useRefusal';

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
  /** A cell to go to; each new object goes there once. */
  goTo?: { row: string; column: string } | null;
  onSave?(): void;
}

const ROW = 38;
const CARD = 92;

/** The least width of the column that takes what the others leave, in px: documents fit a window of 1440. */
const NAME_WIDTH = 180;

/** The grid that many numbers are typed into: arrows and Enter move, paste fills down and across, undo takes back. */
export function EntryGrid<Row>(props: Props<Row>) {
  const { rows, rowId, columns, model, groupOf, errors } = props;
  const phone = usePhone();
  const scroll = useRef<HTMLDivElement>(null);
  const editable = useMemo(() => columns.filter(({ edit }) => edit), [columns]);

  const { items, itemOf } = useItems(rows, groupOf);

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

  const last = useRef<{ row: number; column: string } | null>(null);
  useRefusal({ rows, rowId, editable, errors, focusCell, grid: scroll });

  const { goTo } = props;
  const gone = useRef<object | null>(null);
  useEffect(() => {
    if (!goTo || gone.current === goTo) return;
    const at = rows.findIndex((row) => rowId(row) === goTo.row);
    // It may be there only after a filter was emptied.
    if (at < 0) return;
    gone.current = goTo;
    focusCell(at, goTo.column);
  }, [goTo, rows, rowId, focusCell]);

  const parts = { rows, rowId, editable, model, focusCell, onSave: props.onSave };

  /** What was typed in one cell is one step of undo. */
  function onFocus(event: FocusEvent<HTMLDivElement>): void {
    const { row, column } = (event.target as HTMLElement).dataset;
    if (row === undefined || column === undefined) return;
    last.current = { row: Number(row), column };
    model.commit();
  }

  /** From the grid itself, which Escape goes to, back into the cell that was left. */
  function onKeyDown(event: KeyboardEvent<HTMLDivElement>): void {
    const back = event.target === event.currentTarget && /^(Enter|F2|Arrow\w+)$/.test(event.key);
    if (back && last.current && !event.ctrlKey && !event.metaKey) {
      event.preventDefault();
      focusCell(last.current.row, last.current.column);
    } else pressKey(event, parts);
  }

  const foot = columns.some((column) => column.foot);
  const template = columns
    .map(({ width }) => (width ? `${width}px` : `minmax(${NAME_WIDTH}px, 1fr)`))
    .join(' ');
  // On paper the widths are shares of the sheet, and text wraps.
  const paper = columns.map(({ width }) => `minmax(0, ${width ?? 260}fr)`).join(' ');
  const least = columns.reduce((sum, { width }) => sum + (width ?? NAME_WIDTH), 0);

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
      onPaste={(event) => paste(event, parts)}
      onFocus={onFocus}
    >
      <div
        className={classes.inner}
        style={phone ? undefined : ({ minWidth: least, '--paper': paper } as CSSProperties)}
      >
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
                {column.label || <VisuallyHidden>Actions</VisuallyHidden>}
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
        <div
          role="presentation"
          className={classes.rows}
          style={{ height: virtual.getTotalSize(), position: 'relative' }}
        >
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
