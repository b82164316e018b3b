import { IconArrowDown, IconArrowUp, IconChevronRight } from '@tabler/icons-react';
import { useVirtualizer, type Virtualizer } from '@tanstack/react-virtual';
import {
  type MouseEvent,
  memo,
  type PointerEvent,
  type ReactNode,
  type Ref,
  type RefObject,
  useCallback,
  useEffect,
  useImperativeHandle,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from 'react';
import { Link } from 'react-router';
import { MISSING, unrounded } from '#/ui/format';
import { usePrinting } from '#/ui/usePrinting';
import classes from './Grid.module.css';
import type { RowMenuAt } from './RowMenu';
import { squeeze } from './squeeze';
import type { Branch } from './tree';
import type { Zone } from './treeMoves';
import type { Column, Sort } from './types';
import { useScrollAnchor } from './useScrollAnchor';
import { useTreeDrag } from './useTreeDrag';

export interface GridRow<T> {
  key: string;
  row: T | undefined;
  branch?: Branch;
}

export interface GridHandle {
  /** The index of the current row, −1 for none. */
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
  /** Moving of rows in a tree. */
  moves?: GridMoves;
  /** Whether a row is a heading, which can be neither opened nor selected. */
  heading?(row: T): boolean;
  /** Whether a row can be selected; without it each one can. */
  pickable?(row: T): boolean;
  need?(first: number, last: number): void;
  grid: Ref<GridHandle>;
  totals?: boolean;
  faded?(row: T): boolean;
  /** Whether a row is the one that is shown beside the table. */
  current?(row: T): boolean;
  /** Rows that were changed a moment ago. */
  fresh?: ReadonlySet<string>;
  /** Shown in place of rows. */
  children?: ReactNode;
}

export interface GridMoves {
  ordered: boolean;
  may(id: string, over: string, zone: Zone): boolean;
  drop(id: string, over: string, zone: Zone): void;
}

const STILL: GridMoves = { ordered: false, may: () => false, drop() {} };

const ROW = 36;
const CARD = 62;
const SKELETONS = 14;

/** Rows are rendered in steps of this many, so that most frames of a scroll render nothing. */
const STEP = 8;
/** Rows rendered beyond the visible ones. */
const AHEAD = 8;

/** The range of rows to render, in whole steps. `seen` is how many fit the window. */
function inSteps(from: number, seen: number, count: number): number[] {
  const first = Math.max(0, Math.floor((from - AHEAD) / STEP) * STEP);
  const end = Math.floor(from / STEP) * STEP + STEP + Math.ceil((seen + AHEAD) / STEP) * STEP;
  const length = Math.max(0, Math.min(count, end) - first);
  return Array.from({ length }, (_, i) => first + i);
}

/** Callbacks of rows. The object never changes, so that a row renders only when its record does. */
interface Acts<T> {
  pick(key: string, on: boolean): void;
  open(row: T): void;
  menu(at: RowMenuAt<T>): void;
  branch(key: string): void;
  focus(index: number): void;
  grip(key: string, event: PointerEvent<HTMLElement>): void;
}

/** A virtualized table. */
export function Grid<T>(props: Props<T>) {
  const { rows, columns, phone, pending, need, grid, onPick, onMenu } = props;
  const scroll = useRef<HTMLDivElement>(null);
  const { at, setAt } = useKeyboardRow(rows);
  const height = phone ? CARD : ROW;
  // Rows of a table are all as high; a card is as high as its words need.
  const [heights] = useState(() => new Map<string, number>());
  const heightOf = (key: string) => (phone && heights.get(key)) || height;
  const virtual: Virtualizer<HTMLDivElement, Element> = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroll.current,
    getItemKey: useCallback((index: number) => rows[index]?.key ?? index, [rows]),
    estimateSize: (index) => heightOf(rows[index]?.key ?? ''),
    measureElement: (card) => {
      const measured = card.getBoundingClientRect().height || height;
      heights.set((card as HTMLElement).dataset.key ?? '', measured);
      return measured;
    },
    rangeExtractor: ({ startIndex, count }) => inSteps(startIndex, seen(), count),
    // The height assumed before the first measurement.
    initialRect: { width: 1200, height: 800 },
  });
  const seen = () => Math.ceil((virtual.scrollRect?.height ?? 0) / height) + 1;
  const printing = usePrinting();
  const items = virtual.getVirtualIndexes();
  const first = printing ? 0 : (items[0] ?? 0);
  const last = printing ? rows.length - 1 : (items.at(-1) ?? -1);
  const least = leastWidth(columns, onPick, onMenu);
  const fixed = fixedWidth(onPick, onMenu);
  const { sideways, scale } = useFit(scroll, least, fixed, phone || Boolean(props.children));

  const latest = useRef(props);
  latest.current = props;
  const { drag, start } = useTreeDrag({ scroll, ...(props.moves ?? STILL) });
  const [acts] = useState<Acts<T>>(() => ({
    pick: (key, on) => latest.current.onPick?.([key], on),
    open: (row) => latest.current.onOpen?.(row),
    menu: (at) => latest.current.onMenu?.(at),
    branch: (key) => latest.current.onBranch?.(key),
    focus: (index) => setAt(index, latest.current.rows[index]?.key ?? null),
    grip: start,
  }));

  // biome-ignore lint/correctness/useExhaustiveDependencies: `height` invalidates all measured sizes
  useEffect(() => virtual.measure(), [virtual, height]);
  useEffect(() => need?.(first, Math.max(first, last)), [need, first, last]);
  useScrollAnchor(scroll, rows, heightOf, rows[at]?.key ?? null);

  useImperativeHandle(
    grid,
    () => ({
      at: () => at,
      go(index) {
        if (index < 0 || index >= rows.length) return;
        setAt(index, rows[index]?.key ?? null);
        virtual.scrollToIndex(index, { align: 'auto' });
        // The row may first have to be drawn.
        requestAnimationFrame(() => {
          scroll.current?.querySelector<HTMLElement>(`[data-index="${index}"]`)?.focus({
            preventScroll: true,
          });
        });
      },
    }),
    [at, rows, virtual, setAt],
  );

  if (props.children) {
    return (
      <div className={classes.scroll} data-empty>
        {!phone && (
          <table className={classes.table} aria-label={props.label}>
            <Columns {...props} scale={scale} />
            <Head {...props} rows={[]} />
          </table>
        )}
        {props.children}
      </div>
    );
  }

  const cards = virtual.measurementsCache;
  const before = phone ? (cards[first]?.start ?? 0) : first * height;
  const after = phone
    ? virtual.getTotalSize() - (cards[last]?.end ?? 0)
    : (rows.length - 1 - last) * height;
  const picks = Boolean(onPick);
  const menus = Boolean(onMenu);
  const shape = { columns, phone, picks, menus, grips: Boolean(props.moves) };
  const span = phone ? 1 : columns.length + (picks ? 1 : 0) + (menus ? 1 : 0);

  return (
    <div
      className={classes.scroll}
      ref={scroll}
      tabIndex={-1}
      data-dragging={drag ? true : undefined}
    >
      <table
        className={classes.table}
        data-phone={phone || undefined}
        data-sideways={sideways || undefined}
        style={phone ? undefined : { minWidth: fixed + Math.floor((least - fixed) * scale) }}
        aria-label={props.label}
        aria-rowcount={rows.length + 1}
        aria-busy={pending}
      >
        {!phone && <Columns columns={columns} onPick={onPick} onMenu={onMenu} scale={scale} />}
        {!phone && (
          <Head
            rows={rows}
            columns={columns}
            sort={props.sort}
            onSort={props.onSort}
            picked={props.picked}
            onPick={onPick}
            onMenu={onMenu}
            heading={props.heading}
            pickable={props.pickable}
          />
        )}
        <tbody>
          {pending &&
            Array.from({ length: SKELETONS }, (_, i) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: placeholders are all alike
              <Skeleton key={i} {...shape} seed={i} />
            ))}
          {before > 0 && <Space height={before} span={span} />}
          {rows.slice(first, last + 1).map(({ key, row, branch }, i) => {
            const index = first + i;
            if (!row) return <Skeleton key={key} {...shape} seed={index} />;
            return (
              <Line<T>
                key={key}
                {...shape}
                id={key}
                record={row}
                branch={branch}
                index={index}
                label={props.rowLabel(row)}
                href={props.hrefOf?.(row)}
                opens={Boolean(props.onOpen)}
                on={props.picked[key] === true}
                active={at === index}
                faded={props.faded?.(row) === true}
                current={props.current?.(row) === true}
                fresh={props.fresh?.has(key) === true}
                heading={props.heading?.(row) === true}
                pickable={props.pickable?.(row) !== false}
                dragged={drag?.id === key}
                drop={drag?.over === key ? drag.zone : undefined}
                acts={acts}
                measure={phone ? virtual.measureElement : undefined}
              />
            );
          })}
          {after > 0 && <Space height={after} span={span} />}
        </tbody>
        {props.totals && !phone && <Foot columns={columns} onPick={onPick} onMenu={onMenu} />}
      </table>
    </div>
  );
}

/** The current row, tracked by key, so that it follows its record when rows move. */
function useKeyboardRow<T>(rows: readonly GridRow<T>[]) {
  const [on, setOn] = useState<{ index: number; key: string | null }>({ index: -1, key: null });
  const at = useMemo(() => {
    if (rows[on.index]?.key === on.key) return on.index;
    const now = on.key === null ? -1 : rows.findIndex(({ key }) => key === on.key);
    // If its record is gone the index stays.
    return now >= 0 ? now : Math.min(on.index, rows.length - 1);
  }, [rows, on]);
  const setAt = useCallback((index: number, key: string | null) => setOn({ index, key }), []);
  return { at, setAt };
}

interface Fit {
  /** Whether the table scrolls sideways. Only then is the name column sticky, which slows down scrolling. */
  sideways: boolean;
  /** The factor of the columns' widths. */
  scale: number;
}

/** How a table fits its place; one that never scrolls sideways is only squeezed. */
function useFit(
  scroll: RefObject<HTMLElement | null>,
  least: number,
  fixed: number,
  never: boolean,
): Fit {
  const [width, setWidth] = useState(0);
  useLayoutEffect(() => {
    const place = scroll.current;
    if (!place) return;
    const look = () => setWidth(place.clientWidth);
    const observer = new ResizeObserver(look);
    observer.observe(place);
    look();
    return () => observer.disconnect();
  }, [scroll]);
  const scale = squeeze(least, fixed, width);
  return { scale, sideways: !never && scale === 1 && least > width };
}

/** The columns of selection and menu. */
const fixedWidth = (pick?: unknown, menu?: unknown): number => (pick ? 40 : 0) + (menu ? 44 : 0);

/** Below this the table scrolls sideways instead of squeezing its columns. */
function leastWidth<T>(columns: readonly Column<T>[], pick?: unknown, menu?: unknown): number {
  const sum = columns.reduce((total, { width }) => total + (width ?? 180), 0);
  return sum + fixedWidth(pick, menu);
}

function Space({ height, span }: { height: number; span: number }) {
  return (
    <tr aria-hidden className={classes.space}>
      <td colSpan={span} style={{ height }} />
    </tr>
  );
}

type Sides<T> = Pick<Props<T>, 'columns' | 'onPick' | 'onMenu'>;

function Columns<T>({ columns, onPick, onMenu, scale }: Sides<T> & { scale: number }) {
  return (
    <colgroup>
      {onPick && <col style={{ width: 40 }} />}
      {columns.map(({ id, width }) => (
        <col key={id} style={width ? { width: Math.floor(width * scale) } : undefined} />
      ))}
      {onMenu && <col style={{ width: 44 }} />}
    </colgroup>
  );
}

const right = <T,>({ align, number }: Column<T>) => align === 'right' || Boolean(number);

type HeadProps<T> = Sides<T> &
  Pick<Props<T>, 'rows' | 'sort' | 'onSort' | 'picked' | 'heading' | 'pickable'>;

const Head = memo(function Head<T>(props: HeadProps<T>) {
  const { rows, columns, sort, onSort, picked, onPick, onMenu, heading, pickable } = props;
  const all = useMemo(
    () =>
      rows.flatMap(({ key, row }) =>
        row && !heading?.(row) && pickable?.(row) !== false ? [key] : [],
      ),
    [rows, heading, pickable],
  );
  const total = all.length;
  const on = useMemo(() => {
    if (Object.keys(picked).length === 0) return 0;
    return all.filter((key) => picked[key]).length;
  }, [all, picked]);
  return (
    <thead>
      <tr>
        {onPick && (
          <th className={classes.check} scope="col">
            <input
              type="checkbox"
              aria-label="Select all rows"
              checked={on > 0 && on === total}
              disabled={total === 0}
              ref={(box) => {
                if (box) box.indeterminate = on > 0 && on < total;
              }}
              onChange={() => onPick(all, on < total)}
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
          <th className={classes.menuCell} scope="col">
            <span className="sr-only">Actions</span>
          </th>
        )}
      </tr>
    </thead>
  );
}) as <T>(props: HeadProps<T>) => ReactNode;

function Foot<T>({ columns, onPick, onMenu }: Sides<T>) {
  return (
    <tfoot>
      <tr>
        {onPick && <td className={classes.check} />}
        {columns.map((column) => (
          <td
            key={column.id}
            data-right={right(column) || undefined}
            data-primary={column.primary || undefined}
          >
            {column.total}
          </td>
        ))}
        {onMenu && <td className={classes.menuCell} />}
      </tr>
    </tfoot>
  );
}

interface Shape<T> {
  columns: readonly Column<T>[];
  phone: boolean;
  picks: boolean;
  menus: boolean;
  grips: boolean;
}

const Skeleton = memo(function Skeleton<T>(props: Shape<T> & { seed: number }) {
  const { columns, phone, picks, menus, seed } = props;
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
      {picks && <td />}
      {columns.map((column, i) => (
        <td key={column.id} data-right={right(column) || undefined}>
          <span
            className={classes.bone}
            style={{ width: `${(right(column) ? 34 : 42) + (((seed + 3) * (i + 5) * 13) % 34)}%` }}
          />
        </td>
      ))}
      {menus && <td />}
    </tr>
  );
}) as <T>(props: Shape<T> & { seed: number }) => ReactNode;

interface LineProps<T> extends Shape<T> {
  id: string;
  record: T;
  branch: Branch | undefined;
  index: number;
  label: string;
  href: string | undefined;
  opens: boolean;
  on: boolean;
  active: boolean;
  faded: boolean;
  current: boolean;
  fresh: boolean;
  heading: boolean;
  pickable: boolean;
  dragged: boolean;
  drop: Zone | undefined;
  acts: Acts<T>;
  /** Of a card. */
  measure: ((card: Element | null) => void) | undefined;
}

const Line = memo(function Line<T>(props: LineProps<T>) {
  const { id, record, index, columns, phone, picks, menus, heading, on, acts } = props;
  const opens = props.opens && !heading;

  function click(event: MouseEvent<HTMLElement>): void {
    const target = event.target as HTMLElement;
    if (!opens || target.closest('a, button, input, label')) return;
    // Selecting text must not open the record.
    if (window.getSelection()?.toString()) return;
    acts.open(record);
  }

  const common = {
    'data-index': index,
    'data-key': id,
    'data-heading': heading || undefined,
    'data-depth': heading ? props.branch?.depth : undefined,
    'data-dragged': props.dragged || undefined,
    'data-drop': props.drop,
    'data-on': on || undefined,
    'data-active': props.active || undefined,
    'data-open': opens || undefined,
    'data-faded': props.faded || undefined,
    'data-fresh': props.fresh || undefined,
    'aria-current': props.current || undefined,
    'aria-rowindex': index + 2,
    tabIndex: -1,
    onClick: click,
    onFocus: () => acts.focus(index),
  };

  if (phone) return <Card {...props} common={common} />;

  return (
    <tr className={classes.row} {...common}>
      {picks && (
        <td className={classes.check}>
          {props.pickable && !heading && (
            <input
              type="checkbox"
              aria-label={`Select ${props.label}`}
              checked={on}
              onChange={() => acts.pick(id, !on)}
            />
          )}
        </td>
      )}
      {columns.map((column) => (
        <td
          key={column.id}
          data-right={right(column) || undefined}
          data-muted={column.muted || undefined}
          data-primary={column.primary || undefined}
        >
          {column.primary
            ? primary(props, column)
            : heading && !filled(column, record)
              ? null
              : content(column, record)}
        </td>
      ))}
      {menus && <td className={classes.menuCell}>{!heading && menuButton(props)}</td>}
    </tr>
  );
}) as <T>(props: LineProps<T>) => ReactNode;

function menuButton<T>({ record, label, acts }: LineProps<T>) {
  return (
    <button
      type="button"
      className={classes.menu}
      aria-label={`Actions for ${label}`}
      aria-haspopup="menu"
      onClick={(event) =>
        acts.menu({
          row: record,
          rect: event.currentTarget.getBoundingClientRect(),
          button: event.currentTarget,
        })
      }
    >
      {/* One path: it is drawn for every row. */}
      <svg width={17} height={17} viewBox="0 0 24 24" aria-hidden="true">
        <path d="M5 12h.01M12 12h.01M19 12h.01" />
      </svg>
    </button>
  );
}

/** The cell with the row's name, which opens the record. */
function primary<T>(props: LineProps<T>, column: Column<T>) {
  const { id, record, branch, href, heading, label, acts } = props;
  const opens = props.opens && !heading;
  const shown = content(column, record);
  const name = heading ? (
    shown
  ) : href ? (
    <Link to={href} className={classes.open}>
      {shown}
    </Link>
  ) : opens ? (
    <button type="button" className={classes.open} onClick={() => acts.open(record)}>
      {shown}
    </button>
  ) : (
    shown
  );
  if (!branch) return name;
  return (
    <div className={classes.branch} style={{ paddingLeft: branch.depth * 22 }}>
      {grip(props)}
      {branch.children > 0 ? (
        <button
          type="button"
          className={classes.twist}
          aria-expanded={branch.open}
          aria-label={`${branch.open ? 'Close' : 'Open'} ${label}`}
          onClick={() => acts.branch(id)}
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

/** The drag handle of a tree row. Not focusable: the keyboard moves rows with Alt and the arrows. */
function grip<T>({ id, grips, heading, label, acts }: LineProps<T>) {
  if (!grips || heading) return null;
  return (
    <button
      type="button"
      tabIndex={-1}
      className={classes.grip}
      aria-label={`Drag to move ${label}`}
      title="Drag to move, or Alt and an arrow key"
      onPointerDown={(event) => acts.grip(id, event)}
    >
      <svg width={14} height={14} viewBox="0 0 24 24" aria-hidden="true">
        <path d="M9 5h.01M9 12h.01M9 19h.01M15 5h.01M15 12h.01M15 19h.01" />
      </svg>
    </button>
  );
}

function content<T>(column: Column<T>, row: T): ReactNode {
  if (column.cell) return column.cell(row);
  const value = column.value(row);
  if (column.number) {
    const text = column.number(value as number | null | undefined);
    const full = unrounded(column.number, value);
    return full ? <span title={full}>{text}</span> : text;
  }
  if (value === null || value === undefined || value === '') return <Missing />;
  return typeof value === 'boolean' ? (value ? 'Yes' : 'No') : value;
}

function Missing() {
  return <span className={classes.missing}>{MISSING}</span>;
}

/** On a phone a row is a card: its name with one figure, then the rest in words. */
function Card<T>(props: LineProps<T> & { common: object }) {
  const { columns, record, branch, common, menus } = props;
  const named = columns.find((column) => column.primary) ?? columns[0];
  const rest = columns.filter((column) => column !== named && column.phone !== 'none');
  const end = rest.find((column) => column.phone === 'end') ?? rest.findLast(right);
  const sub = rest.filter(
    (column) =>
      column !== end && filled(column, record) && (column.phone === 'sub' || !right(column)),
  );
  if (!named) return null;
  const said = sub.flatMap((column) => {
    const shown = content(column, record);
    // A cell may have nothing to say about this row.
    return shown === null || shown === undefined || shown === false || shown === ''
      ? []
      : [<span key={column.id}>{shown}</span>];
  });
  return (
    <tr className={classes.card} {...common} ref={props.measure}>
      <td>
        <div className={classes.cardBody} style={{ paddingLeft: (branch?.depth ?? 0) * 16 }}>
          {branch && grip(props)}
          <div className={classes.cardMain}>
            <span className={classes.cardTitle}>
              <div className={classes.clip}>{primary({ ...props, branch: undefined }, named)}</div>
            </span>
            <span className={classes.cardSub}>{said.slice(0, 3)}</span>
          </div>
          {end && (!props.heading || filled(end, record)) && (
            <div className={classes.cardEnd}>
              <span className={right(end) ? 'num' : undefined}>
                {content(end, record)}
                {end.unit && filled({ ...end, cell: undefined }, record) && ` ${end.unit(record)}`}
              </span>
              {right(end) && <span className={classes.cardSub}>{end.label}</span>}
            </div>
          )}
          {menus && !props.heading && menuButton(props)}
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
