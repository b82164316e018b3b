import { IconArrowDown, IconArrowUp } from '@tabler/icons-react';
import { memo, type ReactNode, useLayoutEffect, useMemo, useRef, useState } from 'react';
import charts from '#/charts/charts.module.css';
import { Marker } from '#/charts/marks';

import type { Sort } from '#/table/types';
import { MISSING, unrounded } from '#/ui/format';
import { usePrinting } from '#/ui/usePrinting';
import { linesOf, type MatrixFoot } from './feet';
import classes from './Matrix.module.css';
import { PrintedMatrix } from './PrintedMatrix';
import type { MatrixColumn } from './types';
import { useCellNavigation } from './useCellNavigation';
import { useWindow } from './useWindow';
import { fitted } from './widths';

export interface MatrixRow {
  id: string;
  name: string;
}

export interface MatrixProps<R extends MatrixRow> {
  label: string;
  rows: readonly R[];
  columns: readonly MatrixColumn<R>[];
  /** The column that stays at the right. */
  total: MatrixColumn<R> | null;
  /** What the rows are: «Root item». */
  rowsAre: string;
  /** The label of the last row, which adds up all rows; null without one. */
  foot: string | null;
  /** Sums of some rows, each below its own. */
  feet?: readonly MatrixFoot<R>[];
  sort: Sort | null;
  onSort(by: string, text: boolean): void;
  /** The mark of a row on the chart; without it the name bears none. */
  markOf?(id: string): number | null;
  /** Makes a row stand out. */
  toneOf?(row: R): 'danger' | null;
  onName(row: R): void;
  /** A word after the name. */
  noteOf?(row: R): string | null;
  /** Room for a store beside the names. */
  wideNames?: boolean;
  /** Begins at the last column. */
  fromEnd?: boolean;
  phone: boolean;
  stale?: boolean;
  children?: ReactNode;
}

const ROW = 36;
const PHONE_ROW = 44;
const MOST_GROWN = 90;

/**
 * Items down, weeks or stores across. A real table, of which only the cells on screen exist, with
 * the names at the left, sums at the right and at the foot always in sight. One stop for the
 * keyboard: arrows walk the cells, Enter shows what a figure is made of.
 */
export function Matrix<R extends MatrixRow>(props: MatrixProps<R>) {
  const { rows, columns, total, phone, fromEnd, feet } = props;
  const lines = useMemo(() => linesOf(rows, feet ?? []), [rows, feet]);
  const box = useRef<HTMLDivElement>(null);
  const printing = usePrinting();
  const rowHeight = phone ? PHONE_ROW : ROW;
  const nameWidth = phone ? 148 : props.wideNames ? 280 : 232;
  const totalWidth = total ? total.width : 0;

  const natural = useMemo(() => columns.reduce((all, { width }) => all + width, 0), [columns]);
  const growing = useMemo(() => columns.filter(({ grow }) => grow).length, [columns]);
  const [frame, setFrame] = useState(0);
  const spare = Math.max(0, frame - nameWidth - totalWidth - natural);
  const extra = growing ? Math.min(MOST_GROWN, Math.floor(spare / 2 / growing)) : 0;
  const room = frame ? frame - nameWidth - totalWidth : Number.POSITIVE_INFINITY;
  const widths = useMemo(() => fitted(columns, room, extra), [columns, room, extra]);
  const grid = useMemo(() => {
    const starts = [0];
    for (const width of widths) starts.push((starts.at(-1) ?? 0) + width);
    return { rows: lines.length, rowHeight, starts };
  }, [widths, lines.length, rowHeight]);
  const { shown, width } = useWindow(box, grid);
  if (width !== frame) setFrame(width);
  const all = grid.starts.at(-1) ?? 0;
  // What is left over goes to the names.
  const nameNow = Math.max(nameWidth, width - all - totalWidth);

  // A new set of columns opens where it is most often read: at the newest.
  const first = columns.find(({ grow }) => grow)?.id;
  const last = columns.findLast(({ grow }) => grow)?.id;
  // biome-ignore lint/correctness/useExhaustiveDependencies: the columns' names are the trigger
  useLayoutEffect(() => {
    const element = box.current;
    if (element && fromEnd) element.scrollLeft = element.scrollWidth;
  }, [first, last, fromEnd]);

  const navigation = useCellNavigation({
    ...props,
    box,
    grid,
    nameWidth,
    totalWidth,
    lines: lines.length,
  });

  if (printing) return <PrintedMatrix {...props} />;
  if (props.children) return <div className={classes.empty}>{props.children}</div>;

  const slice = columns.slice(shown.left, shown.right);
  const before = grid.starts[shown.left] ?? 0;
  const after = Math.max(0, all - (grid.starts[shown.right] ?? all));
  const drawn = lines.slice(shown.top, shown.bottom);
  const spanned = slice.length + 2 + (before ? 1 : 0) + (after ? 1 : 0) + (total ? 1 : 0);

  return (
    <div
      ref={box}
      className={`${charts.scope} ${classes.scroll}`}
      data-stale={props.stale || undefined}
      tabIndex={0}
      role="group"
      aria-label={`${props.label}, use arrow keys to move between cells`}
      onKeyDown={navigation.onKeyDown}
      onFocus={navigation.onFocus}
    >
      <table
        className={classes.table}
        // biome-ignore lint/a11y/noNoninteractiveElementToInteractiveRole: a table whose cells are walked is a grid
        role="grid"
        aria-label={props.label}
        aria-rowcount={lines.length + (props.foot === null ? 1 : 2)}
        aria-colcount={columns.length + 1 + (total ? 1 : 0)}
        aria-busy={props.stale}
        style={{ width: nameNow + all + totalWidth }}
        data-phone={phone || undefined}
      >
        <colgroup>
          <col style={{ width: nameNow }} />
          {before > 0 && <col style={{ width: before }} />}
          {slice.map(({ id }, i) => (
            <col key={id} style={{ width: widths[shown.left + i] }} />
          ))}
          {after > 0 && <col style={{ width: after }} />}
          {total && <col style={{ width: totalWidth }} />}
        </colgroup>
        <thead>
          <tr aria-rowindex={1}>
            <Head
              {...props}
              column={{
                id: 'name',
                label: props.rowsAre,
                width: nameWidth,
                align: 'left',
                value: name,
              }}
              at={0}
              sticky="left"
            />
            {before > 0 && <td aria-hidden="true" />}
            {slice.map((column, i) => (
              <Head key={column.id} {...props} column={column} at={shown.left + i + 1} />
            ))}
            {after > 0 && <td aria-hidden="true" />}
            {total && <Head {...props} column={total} at={columns.length + 1} sticky="right" />}
          </tr>
        </thead>
        <tbody>
          {shown.top > 0 && <Space height={shown.top * rowHeight} span={spanned} />}
          {drawn.map(({ row, foot }, i) =>
            foot ? (
              <FootLine
                key={`sum ${foot.id}`}
                foot={foot}
                index={shown.top + i}
                left={shown.left}
                right={shown.right}
                before={before > 0}
                after={after > 0}
              />
            ) : (
              <Line
                key={row.id}
                row={row}
                index={shown.top + i}
                mark={props.markOf ? props.markOf(row.id) : undefined}
                tone={props.toneOf?.(row) ?? null}
                columns={columns as readonly MatrixColumn<MatrixRow>[]}
                total={total as MatrixColumn<MatrixRow> | null}
                left={shown.left}
                right={shown.right}
                before={before > 0}
                after={after > 0}
                note={props.noteOf?.(row) ?? null}
                onName={navigation.onName}
              />
            ),
          )}
          {lines.length > shown.bottom && (
            <Space height={(lines.length - shown.bottom) * rowHeight} span={spanned} />
          )}
        </tbody>
        {props.foot !== null && (
          <tfoot>
            <FootLine
              foot={{ label: props.foot, columns, total }}
              index={lines.length}
              left={shown.left}
              right={shown.right}
              before={before > 0}
              after={after > 0}
            />
          </tfoot>
        )}
      </table>
    </div>
  );
}

const name = (row: MatrixRow) => row.name;

function Space({ height, span }: { height: number; span: number }) {
  return (
    // biome-ignore lint/a11y/noAriaHiddenOnFocusable: it holds the place of rows that are not drawn
    <tr aria-hidden="true" className={classes.space}>
      <td colSpan={span} style={{ height }} />
    </tr>
  );
}

interface HeadProps<R extends MatrixRow> extends MatrixProps<R> {
  column: MatrixColumn<R>;
  at: number;
  sticky?: 'left' | 'right';
}

function Head<R extends MatrixRow>({ column, at, sticky, sort, onSort }: HeadProps<R>) {
  const by = sort?.by === column.id ? sort : null;
  const Arrow = by?.down ? IconArrowDown : IconArrowUp;
  const text = column.align === 'left';
  const label = (
    <span className={classes.label} data-alone={!column.sub || undefined}>
      <span>{column.label}</span>
      {column.sub && <small>{column.sub}</small>}
    </span>
  );
  return (
    <th
      scope="col"
      data-stick={sticky}
      data-text={text || undefined}
      aria-colindex={at + 1}
      aria-sort={by ? (by.down ? 'descending' : 'ascending') : undefined}
      title={column.title}
    >
      {column.sortable === false ? (
        <span data-r={-1} data-c={at} tabIndex={-1}>
          {label}
        </span>
      ) : (
        <button
          type="button"
          className={classes.sort}
          data-r={-1}
          data-c={at}
          tabIndex={-1}
          onClick={() => onSort(column.id, text)}
        >
          {label}
          {by && <Arrow size={13} stroke={2.2} aria-hidden />}
        </button>
      )}
    </th>
  );
}

interface FootLineProps<R> {
  foot: Pick<MatrixFoot<R>, 'label' | 'columns' | 'total'>;
  index: number;
  left: number;
  right: number;
  before: boolean;
  after: boolean;
}

/** A row of sums. */
function FootLine<R>({ foot, index, left, right, before, after }: FootLineProps<R>) {
  const { label, columns, total } = foot;
  return (
    <tr aria-rowindex={index + 2} data-sum>
      <th scope="row" data-stick="left" data-r={index} data-c={0} tabIndex={-1}>
        {label}
      </th>
      {before && <td aria-hidden="true" />}
      {columns.slice(left, right).map((column, i) => (
        <FootCell key={column.id} column={column} r={index} c={left + i + 1} />
      ))}
      {after && <td aria-hidden="true" />}
      {total && <FootCell column={total} r={index} c={columns.length + 1} stick />}
    </tr>
  );
}

interface FootProps<R> {
  column: MatrixColumn<R>;
  r: number;
  c: number;
  stick?: boolean;
}

function FootCell<R>({ column, r, c, stick }: FootProps<R>) {
  const pick = column.onPick && column.foot ? () => column.onPick?.(null) : undefined;
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: Enter is heard by the grid
    <td
      data-stick={stick ? 'right' : undefined}
      data-text={column.align === 'left' || undefined}
      data-pick={pick ? true : undefined}
      data-r={r}
      data-c={c}
      tabIndex={-1}
      aria-colindex={c + 1}
      onClick={pick}
    >
      {column.foot}
    </td>
  );
}

interface LineProps {
  row: MatrixRow;
  index: number;
  /** Undefined where rows bear no marks. */
  mark: number | null | undefined;
  tone: 'danger' | null;
  columns: readonly MatrixColumn<MatrixRow>[];
  total: MatrixColumn<MatrixRow> | null;
  left: number;
  right: number;
  before: boolean;
  after: boolean;
  note: string | null;
  onName(id: string): void;
}

const Line = memo(function Line(props: LineProps) {
  const { row, index, mark, columns, total, left, right, before, after, note, onName } = props;
  return (
    <tr
      aria-rowindex={index + 2}
      data-on={typeof mark === 'number' || undefined}
      data-tone={props.tone ?? undefined}
    >
      <th scope="row" data-stick="left" aria-colindex={1}>
        <button
          type="button"
          className={classes.name}
          data-r={index}
          data-c={0}
          tabIndex={-1}
          aria-pressed={mark === undefined ? undefined : mark !== null}
          title={note ? `${row.name}, ${note}` : row.name}
          onClick={() => onName(row.id)}
        >
          {mark !== undefined && (
            <svg width={14} height={14} className={classes.mark} aria-hidden="true">
              {mark === null ? (
                <circle cx={7} cy={7} r={3.5} fill="none" stroke="currentColor" />
              ) : (
                <Marker mark={mark} cx={7} cy={7} r={4} />
              )}
            </svg>
          )}
          <span>{row.name}</span> {note && <small>{note}</small>}
        </button>
      </th>
      {before && <td aria-hidden="true" />}
      {columns.slice(left, right).map((column, i) => (
        <Cell key={column.id} row={row} column={column} r={index} c={left + i + 1} />
      ))}
      {after && <td aria-hidden="true" />}
      {total && <Cell row={row} column={total} r={index} c={columns.length + 1} stick />}
    </tr>
  );
});

interface CellProps {
  row: MatrixRow;
  column: MatrixColumn<MatrixRow>;
  r: number;
  c: number;
  stick?: boolean;
}

/** Drawn once, however the window moves over it. */
const Cell = memo(function Cell({ row, column, r, c, stick }: CellProps) {
  const value = column.value(row);
  // A figure of a row has parts even if it is zero.
  const { onPick, onPickRow } = column;
  const picks = onPickRow && value != null && value !== '' ? onPickRow : value ? onPick : undefined;
  const pick = picks && (() => picks(row));
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: Enter is heard by the grid
    <td
      data-stick={stick ? 'right' : undefined}
      data-text={column.align === 'left' || undefined}
      data-zero={value === 0 || value == null || undefined}
      data-pick={pick ? true : undefined}
      data-r={r}
      data-c={c}
      tabIndex={-1}
      aria-colindex={c + 1}
      title={unrounded(column.format, value)}
      onClick={pick}
    >
      {column.cell ? column.cell(row) : written(column, value)}
    </td>
  );
});

export function written<R>(
  column: MatrixColumn<R>,
  value: number | string | null | undefined,
): string {
  if (value == null || value === '') return MISSING;
  return typeof value === 'number' && column.format ? column.format(value) : String(value);
}
