import { IconArrowDown, IconArrowUp, IconChevronRight, IconDots } from '@tabler/icons-react';
import { useVirtualizer } from '@tanstack/react-virtual';
import {
  type MouseEvent,
  type ReactNode,
  type Ref,
  useEffect,
  useImperativeHandle,
  useRef,
  useState,
} from 'react';
import { Link } from 'react-router';
import { MISSING } from '#/ui/format';
import { usePrinting } from '#/ui/usePrinting';
import classes from './Grid.module.css';
import type { RowMenuAt } from './RowMenu';
import type { Branch } from './tree';
import type { Column, Sort } from './types';

export interface GridRow<T> {
  key: string;
  row: T | undefined;
  branch?: Branch;
}

export interface GridHandle {
  /** The row the keyboard is on, −1 for none. */
  at(): number;
  go(index: number): void;
}

interface Props<T> {
  label: string;
  rows: readonly GridRow<T>[];
  columns: readonly Column<T>[];
  phone: boolean;
  pending: boolean;
  sort: Sort | null;
  onSort(column: string): void;
  picked: Readonly<Record<string, boolean>>;
  onPick?(keys: readonly string[], on: boolean): void;
  rowLabel(row: T): string;
  onOpen?(row: T): void;
  hrefOf?(row: T): string;
  onMenu?(at: RowMenuAt<T>): void;
  onBranch?(key: string): void;
  need?(first: number, last: number): void;
  grid: Ref<GridHandle>;
  totals?: boolean;
  faded?(row: T): boolean;
  /** Shown in place of rows. */
  children?: ReactNode;
}

const ROW = 36;
const CARD = 62;
const SKELETONS = 14;

interface Placed {
  index: number;
  start: number;
  end: number;
}

function all(count: number, height: number): Placed[] {
  return Array.from({ length: count }, (_, index) => ({
    index,
    start: index * height,
    end: (index + 1) * height,
  }));
}

/** The rows themselves: a real table, of which only what is on screen exists. */
export function Grid<T>(props: Props<T>) {
  const { rows, columns, phone, pending, need, grid, onPick, onMenu } = props;
  const scroll = useRef<HTMLDivElement>(null);
  const [at, setAt] = useState(-1);
  const height = phone ? CARD : ROW;
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroll.current,
    estimateSize: () => height,
    overscan: 12,
    // Before the first measurement something has to be assumed; a tall window is right most often.
    initialRect: { width: 1200, height: 800 },
  });
  const printing = usePrinting();
  const items: readonly Placed[] = printing ? all(rows.length, height) : virtual.getVirtualItems();
  const first = items[0]?.index ?? 0;
  const last = items.at(-1)?.index ?? 0;

  // biome-ignore lint/correctness/useExhaustiveDependencies: another height makes all sizes wrong
  useEffect(() => virtual.measure(), [virtual, height]);
  useEffect(() => need?.(first, last), [need, first, last]);

  useImperativeHandle(
    grid,
    () => ({
      at: () => at,
      go(index) {
        if (index < 0 || index >= rows.length) return;
        setAt(index);
        virtual.scrollToIndex(index, { align: 'auto' });
        // The row may first have to be drawn.
        requestAnimationFrame(() => {
          scroll.current?.querySelector<HTMLElement>(`[data-index="${index}"]`)?.focus({
            preventScroll: true,
          });
        });
      },
    }),
    [at, rows.length, virtual],
  );

  if (props.children) {
    return (
      <div className={classes.scroll} data-empty>
        {!phone && (
          <table className={classes.table} aria-label={props.label}>
            <Columns {...props} />
            <Head {...props} rows={[]} />
          </table>
        )}
        {props.children}
      </div>
    );
  }

  const before = items[0]?.start ?? 0;
  const after = Math.max(0, virtual.getTotalSize() - (items.at(-1)?.end ?? 0));
  const width = phone ? 1 : columns.length + (onPick ? 1 : 0) + (onMenu ? 1 : 0);

  return (
    <div className={classes.scroll} ref={scroll} tabIndex={-1}>
      <table
        className={classes.table}
        data-phone={phone || undefined}
        style={phone ? undefined : { minWidth: leastWidth(columns, onPick, onMenu) }}
        aria-label={props.label}
        aria-rowcount={rows.length + 1}
        aria-busy={pending}
      >
        {!phone && <Columns {...props} />}
        {!phone && <Head {...props} />}
        <tbody>
          {pending &&
            Array.from({ length: SKELETONS }, (_, i) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: they are all alike
              <Skeleton key={i} {...props} seed={i} />
            ))}
          {before > 0 && <Space height={before} span={width} />}
          {items.map(({ index }) => {
            const row = rows[index];
            if (!row) return null;
            if (!row.row) return <Skeleton key={row.key} {...props} seed={index} />;
            return (
              <Line
                key={row.key}
                {...props}
                line={row}
                record={row.row}
                index={index}
                active={at === index}
                onFocusRow={() => setAt(index)}
              />
            );
          })}
          {after > 0 && <Space height={after} span={width} />}
        </tbody>
        {props.totals && !phone && <Foot {...props} />}
      </table>
    </div>
  );
}

/** Below this the table scrolls sideways instead of squeezing its columns. */
function leastWidth<T>(columns: readonly Column<T>[], pick?: unknown, menu?: unknown): number {
  const sum = columns.reduce((total, { width }) => total + (width ?? 180), 0);
  return sum + (pick ? 40 : 0) + (menu ? 44 : 0);
}

function Space({ height, span }: { height: number; span: number }) {
  return (
    <tr aria-hidden className={classes.space}>
      <td colSpan={span} style={{ height }} />
    </tr>
  );
}

function Columns<T>({ columns, onPick, onMenu }: Props<T>) {
  return (
    <colgroup>
      {onPick && <col style={{ width: 40 }} />}
      {columns.map(({ id, width }) => (
        <col key={id} style={width ? { width } : undefined} />
      ))}
      {onMenu && <col style={{ width: 44 }} />}
    </colgroup>
  );
}

const right = <T,>({ align, number }: Column<T>) => align === 'right' || Boolean(number);

function Head<T>({ rows, columns, sort, onSort, picked, onPick, onMenu }: Props<T>) {
  const keys = rows.filter(({ row }) => row).map(({ key }) => key);
  const on = keys.filter((key) => picked[key]).length;
  return (
    <thead>
      <tr>
        {onPick && (
          <th className={classes.check} scope="col">
            <input
              type="checkbox"
              aria-label="Select all rows"
              checked={on > 0 && on === keys.length}
              disabled={keys.length === 0}
              ref={(box) => {
                if (box) box.indeterminate = on > 0 && on < keys.length;
              }}
              onChange={() => onPick(keys, on < keys.length)}
            />
          </th>
        )}
        {columns.map((column) => {
          const by = sort?.by === column.id ? sort : null;
          const Arrow = by?.down ? IconArrowDown : IconArrowUp;
          return (
            <th
              key={column.id}
              scope="col"
              data-right={right(column) || undefined}
              data-primary={column.primary || undefined}
              aria-sort={by ? (by.down ? 'descending' : 'ascending') : undefined}
              title={column.title}
            >
              {column.sortable === false ? (
                <span className={classes.name}>{column.label}</span>
              ) : (
                <button type="button" className={classes.sort} onClick={() => onSort(column.id)}>
                  <span className={classes.name}>{column.label}</span>
                  {by && <Arrow size={13} stroke={2.2} aria-hidden />}
                </button>
              )}
            </th>
          );
        })}
        {onMenu && (
          <th scope="col">
            <span className="sr-only">Actions</span>
          </th>
        )}
      </tr>
    </thead>
  );
}

function Foot<T>({ columns, onPick, onMenu }: Props<T>) {
  return (
    <tfoot>
      <tr>
        {onPick && <td />}
        {columns.map((column) => (
          <td
            key={column.id}
            data-right={right(column) || undefined}
            data-primary={column.primary || undefined}
          >
            {column.total}
          </td>
        ))}
        {onMenu && <td />}
      </tr>
    </tfoot>
  );
}

function Skeleton<T>({ columns, onPick, onMenu, phone, seed }: Props<T> & { seed: number }) {
  if (phone) {
    return (
      <tr className={classes.card} aria-hidden>
        <td>
          <span className={classes.bone} style={{ width: `${50 + ((seed * 17) % 30)}%` }} />
          <span className={classes.bone} style={{ width: `${30 + ((seed * 23) % 30)}%` }} />
        </td>
      </tr>
    );
  }
  return (
    <tr className={classes.row} aria-hidden>
      {onPick && <td />}
      {columns.map((column, i) => (
        <td key={column.id} data-right={right(column) || undefined}>
          <span
            className={classes.bone}
            style={{ width: `${(right(column) ? 34 : 42) + (((seed + 3) * (i + 5) * 13) % 34)}%` }}
          />
        </td>
      ))}
      {onMenu && <td />}
    </tr>
  );
}

interface LineProps<T> extends Props<T> {
  line: GridRow<T>;
  record: T;
  index: number;
  active: boolean;
  onFocusRow(): void;
}

function Line<T>(props: LineProps<T>) {
  const { line, record, index, columns, phone, picked, onPick, onMenu, onOpen } = props;
  const on = picked[line.key] === true;

  function click(event: MouseEvent<HTMLElement>): void {
    const target = event.target as HTMLElement;
    if (!onOpen || target.closest('a, button, input, label')) return;
    // Marking text to copy it must not open the record.
    if (window.getSelection()?.toString()) return;
    onOpen(record);
  }

  const common = {
    'data-index': index,
    'data-on': on || undefined,
    'data-active': props.active || undefined,
    'data-open': onOpen ? true : undefined,
    'data-faded': props.faded?.(record) || undefined,
    'aria-rowindex': index + 2,
    tabIndex: -1,
    onClick: click,
    onFocus: props.onFocusRow,
  };

  if (phone) return <Card {...props} common={common} />;

  return (
    <tr className={classes.row} {...common}>
      {onPick && (
        <td className={classes.check}>
          <input
            type="checkbox"
            aria-label={`Select ${props.rowLabel(record)}`}
            checked={on}
            onChange={() => onPick([line.key], !on)}
          />
        </td>
      )}
      {columns.map((column) => (
        <td
          key={column.id}
          data-right={right(column) || undefined}
          data-muted={column.muted || undefined}
          data-primary={column.primary || undefined}
        >
          {column.primary ? (
            <Primary {...props} column={column} />
          ) : (
            <div className={classes.clip}>{content(column, record)}</div>
          )}
        </td>
      ))}
      {onMenu && (
        <td className={classes.menuCell}>
          <MenuButton {...props} />
        </td>
      )}
    </tr>
  );
}

function MenuButton<T>({ record, rowLabel, onMenu }: LineProps<T>) {
  return (
    <button
      type="button"
      className={classes.menu}
      aria-label={`Actions for ${rowLabel(record)}`}
      aria-haspopup="menu"
      onClick={(event) =>
        onMenu?.({
          row: record,
          rect: event.currentTarget.getBoundingClientRect(),
          button: event.currentTarget,
        })
      }
    >
      <IconDots size={17} stroke={1.8} aria-hidden />
    </button>
  );
}

function Primary<T>(props: LineProps<T> & { column: Column<T> }) {
  const { column, record, line, onBranch, onOpen, hrefOf } = props;
  const shown = content(column, record);
  const branch = line.branch;
  const name = hrefOf ? (
    <Link to={hrefOf(record)} className={classes.open}>
      {shown}
    </Link>
  ) : onOpen ? (
    <button type="button" className={classes.open} onClick={() => onOpen(record)}>
      {shown}
    </button>
  ) : (
    shown
  );
  if (!branch) return <div className={classes.clip}>{name}</div>;
  return (
    <div className={classes.branch} style={{ paddingLeft: branch.depth * 22 }}>
      {branch.children > 0 ? (
        <button
          type="button"
          className={classes.twist}
          aria-expanded={branch.open}
          aria-label={`${branch.open ? 'Close' : 'Open'} ${props.rowLabel(record)}`}
          onClick={() => onBranch?.(line.key)}
        >
          <IconChevronRight size={15} stroke={2} aria-hidden />
        </button>
      ) : (
        <span className={classes.leaf} />
      )}
      <div className={classes.clip}>{name}</div>
    </div>
  );
}

function content<T>(column: Column<T>, row: T): ReactNode {
  if (column.cell) return column.cell(row);
  const value = column.value(row);
  if (column.number) return column.number(value as number | null | undefined);
  if (value === null || value === undefined || value === '') return <Missing />;
  return typeof value === 'boolean' ? (value ? 'Yes' : 'No') : value;
}

function Missing() {
  return <span className={classes.missing}>{MISSING}</span>;
}

/** On a phone a row is two lines: its name with one figure, then the rest in words. */
function Card<T>(props: LineProps<T> & { common: object }) {
  const { columns, record, line, common, onMenu } = props;
  const primary = columns.find((column) => column.primary) ?? columns[0];
  const rest = columns.filter((column) => column !== primary && column.phone !== 'none');
  const end = rest.find((column) => column.phone === 'end') ?? rest.findLast(right);
  const sub = rest.filter(
    (column) =>
      column !== end && filled(column, record) && (column.phone === 'sub' || !right(column)),
  );
  if (!primary) return null;
  return (
    <tr className={classes.card} {...common}>
      <td>
        <div className={classes.cardBody} style={{ paddingLeft: (line.branch?.depth ?? 0) * 16 }}>
          <div className={classes.cardMain}>
            <span className={classes.cardTitle}>
              <Primary {...props} line={{ ...line, branch: undefined }} column={primary} />
            </span>
            <span className={classes.cardSub}>
              {sub.slice(0, 3).map((column) => (
                <span key={column.id}>{content(column, record)}</span>
              ))}
            </span>
          </div>
          {end && (
            <div className={classes.cardEnd}>
              <span className={right(end) ? 'num' : undefined}>{content(end, record)}</span>
              {right(end) && <span className={classes.cardSub}>{end.label}</span>}
            </div>
          )}
          {onMenu && <MenuButton {...props} />}
        </div>
      </td>
    </tr>
  );
}

function filled<T>(column: Column<T>, row: T): boolean {
  if (column.cell) return true;
  const value = column.value(row);
  return value !== null && value !== undefined && value !== '';
}
