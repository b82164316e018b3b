import { Button, Drawer } from '@mantine/core';
import { IconAlertTriangle, IconInbox } from '@tabler/icons-react';
import type { UseQueryResult } from '@tanstack/react-query';
import { useMemo, useRef } from 'react';
import { Link, useLocation, useSearchParams } from 'react-router';
import { useNameOf } from '#/api/names';
import { Problem } from '#/api/problem';
import { queries } from '#/api/queries';
import { can, useMe } from '#/api/session';
import { spec, to } from '#/paths';
import { Grid } from '#/table/Grid';
import { useServerSource } from '#/table/sources';
import type { Column } from '#/table/types';
import { type Cell, writeCell } from '#/ui/cell';
import { DrawerFrame } from '#/ui/DrawerFrame';
import { EmptyState } from '#/ui/EmptyState';
import { amount, DOT, day, inFull, MISSING, percent, plural, qty } from '#/ui/format';
import { sum } from '#/ui/sums';
import textClasses from '#/ui/Text.module.css';
import { usePhone } from '#/ui/usePhone';
import { type Filters, fetchLines, type SalesLine, type SalesLines } from './api';
import classes from './Drilldown.module.css';
import { shareOf } from './numbers';
import { headOf, type Priced } from './parts';
import { span } from './question/weeks';

/** One of the items that a figure of the sum row is made of. */
export interface Slice {
  id: string;
  name: string;
  value: number;
}

/** The items of a sum, and the question they come from where that is not the report's own. */
export interface Slices {
  rows: readonly Slice[];
  query?: Pick<UseQueryResult, 'isPending' | 'error' | 'refetch'>;
}

/** What the figures of a report are made of. */
export interface DrilldownContent {
  /** Which ids the items have. */
  kind: 'root' | 'pos';
  /** What the figures are. */
  what: string;
  format(value: number): string;
  /** The figures are net sales, and so is the head of their parts. */
  inNet?: boolean;
  /** The price at which an item's quantity is the figure, and the unit; null for others. */
  pricedOf?(itemId: string): Priced | null;
  /** Whether a row is a sum of items itself. */
  isSum?(rowId: string): boolean;
  useSlices(cell: Cell): Slices;
  /** What an item is called that is no row of the report. */
  useName?(cell: Cell | null): string | null;
}

interface DrilldownProps {
  cell: Cell | null;
  filters: Filters;
  /** Null while the report is on its way. */
  said: DrilldownContent | null;
  /** What a row is called. */
  nameOf(rowId: string): string | null;
  onClose(): void;
}

interface Props extends DrilldownProps {
  said: DrilldownContent;
}

/** The rows that a figure of the sum row is made of, the largest first. */
export function slicesOf<R extends { id: string; name: string }>(
  rows: readonly R[],
  amountOf: (row: R) => number,
): Slices {
  const slices = rows
    .map((row): Slice => ({ id: row.id, name: row.name, value: amountOf(row) }))
    .filter(({ value }) => value !== 0)
    .sort((a, b) => b.value - a.value);
  return { rows: slices };
}

/** What a figure is made of: a sum of items, an item of store-days, a store-day of lines. */
export function Drilldown({ said, ...props }: DrilldownProps) {
  return said && <Opened {...props} said={said} />;
}

const noName = () => null;

function Opened(props: Props) {
  const { cell, said, nameOf, onClose } = props;
  const { useName = noName } = said;
  const last = useRef(cell);
  if (cell) last.current = cell;
  // While it slides away it still shows what it showed.
  const shown = cell ?? last.current;
  const itemName = useName(shown);
  const itemId = shown?.itemId ?? null;
  const title = itemId === null ? 'All items' : (nameOf(itemId) ?? itemName ?? 'Item');
  return (
    <DrawerFrame opened={cell !== null} title={title} size={840} onClose={onClose}>
      {shown &&
        (itemId === null || said.isSum?.(itemId) ? (
          <Items key={writeCell(shown)} cell={shown} said={said} />
        ) : (
          <Parts key={writeCell(shown)} {...props} cell={shown} itemId={itemId} />
        ))}
    </DrawerFrame>
  );
}

function useCellLink() {
  const { pathname } = useLocation();
  const [search] = useSearchParams();
  return (cell: Cell) => {
    const next = new URLSearchParams(search);
    next.set('cell', writeCell(cell));
    return `${pathname}?${next}`;
  };
}

function Caption({ cell, note }: { cell: Cell; note: string }) {
  const nameOf = useNameOf('stores', cell.storeId !== null);
  const store = cell.storeId ? nameOf.get(cell.storeId)?.name : null;
  return (
    <p className={classes.caption}>
      <span>
        {span(cell)}
        {store && `${DOT}${store}`}
      </span>
      <strong className="num">{note}</strong>
    </p>
  );
}

const gridBasics = {
  sort: null,
  onSort: () => {},
  picked: {},
};

function Items({ cell, said }: { cell: Cell; said: DrilldownContent }) {
  const phone = usePhone();
  const link = useCellLink();
  const grid = useRef(null);
  const { what, format, useSlices } = said;
  const { rows, query } = useSlices(cell);
  const pending = Boolean(query?.isPending);
  const total = sum(rows.map(({ value }) => value));
  const columns: Column<Slice>[] = [
    {
      id: 'name',
      label: 'Item',
      value: ({ name }) => name,
      cell: ({ id, name }) => (
        <Link className={textClasses.link} to={link({ ...cell, itemId: id })} preventScrollReset>
          {name}
        </Link>
      ),
      primary: true,
      sortable: false,
    },
    {
      id: 'value',
      label: what,
      value: ({ value }) => value,
      number: (value) => format(value ?? 0),
      width: 140,
      sortable: false,
      phone: 'end',
    },
    {
      id: 'share',
      label: 'Share',
      value: ({ value }) => shareOf(value, total),
      number: (value) => percent(value),
      width: 90,
      sortable: false,
      phone: 'none',
    },
  ];
  return (
    <Drawer.Body className={classes.body}>
      <Caption
        cell={cell}
        note={
          pending
            ? '…'
            : query?.error
              ? MISSING
              : `${format(total)} from ${plural(rows.length, 'item')}`
        }
      />
      <Grid<Slice>
        {...gridBasics}
        label="Items of this figure"
        rows={rows.map((row) => ({ key: row.id, row }))}
        columns={columns}
        phone={phone}
        pending={pending}
        rowLabel={({ name }) => name}
        grid={grid}
      >
        {query?.error ? (
          <Failed what="items" error={query.error} retry={() => void query.refetch()} />
        ) : null}
      </Grid>
    </Drawer.Body>
  );
}

interface FailedProps {
  what: string;
  error: unknown;
  retry(): void;
}

function Failed({ what, error, retry }: FailedProps) {
  return (
    <EmptyState
      icon={IconAlertTriangle}
      role="alert"
      title={`The ${what} could not be loaded`}
      text={Problem.of(error).message}
      action={
        <Button variant="default" onClick={retry}>
          Try again
        </Button>
      }
    />
  );
}

function Parts({ cell, itemId, said, filters }: Props & { cell: Cell; itemId: string }) {
  const { kind, inNet } = said;
  const me = useMe();
  const phone = usePhone();
  const link = useCellLink();
  const grid = useRef(null);
  const asked = useMemo<Filters>(
    () => ({
      from: cell.from,
      to: cell.to,
      storeIds: cell.storeId ? [cell.storeId] : filters.storeIds,
      areaIds: cell.storeId ? [] : filters.areaIds,
    }),
    [cell, filters],
  );
  const item = kind === 'root' ? { rootItemId: itemId } : { posItemId: itemId };
  const key = ['reports', 'lines', asked, item];
  const source = useServerSource<SalesLine>(key, (page, size, signal) =>
    fetchLines(asked, item, page, size, signal),
  );
  const whole = queries.getQueryData<SalesLines>([...key, 0]);
  const dayPage = spec('toolsImportSalesDay');
  const mayOpenDay = Boolean(dayPage.built) && can(me, dayPage.can);

  const columns = useMemo<Column<SalesLine>[]>(() => {
    const where = (line: SalesLine) => {
      if (line.from !== line.to) {
        const inner = { from: line.from, to: line.to, storeId: line.storeId, itemId };
        // The same cell again would lead nowhere.
        if (writeCell(inner) === writeCell(cell)) return null;
        return link(inner);
      }
      if (!mayOpenDay) return null;
      const [year = '', month = '', day = ''] = line.from.split('-');
      return to('toolsImportSalesDay', { storeId: line.storeId, year, month, day });
    };
    const inRoot = kind === 'root';
    const someSold = source.rows.some((line) => line?.posItemId);
    const someNet = source.rows.some((line) => line?.net != null);
    const net: Column<SalesLine> = {
      id: 'net',
      label: 'Net ₱',
      value: (line) => line.net,
      number: amount,
      width: 104,
      phone: 'none',
    };
    const all: (Column<SalesLine> | false)[] = [
      {
        id: 'when',
        label: 'Day',
        value: (line) => span(line),
        cell: (line) => {
          const href = where(line);
          return href ? (
            <Link className={textClasses.link} to={href} preventScrollReset>
              {span(line)}
            </Link>
          ) : (
            span(line)
          );
        },
        width: 146,
        primary: true,
      },
      {
        id: 'store',
        label: 'Store',
        value: ({ storeName }) => storeName,
        width: 176,
        phone: 'sub',
      },
      inRoot &&
        someSold && {
          id: 'item',
          label: 'POS item',
          value: ({ posItemName }) => posItemName,
          muted: true,
          width: 160,
          phone: 'sub',
        },
      inRoot &&
        someSold && {
          id: 'sold',
          label: 'Sold',
          value: ({ sold }) => sold,
          number: qty,
          width: 76,
          phone: 'none',
        },
      inRoot &&
        someSold && {
          id: 'multiplier',
          label: '× each',
          value: ({ multiplier }) => multiplier,
          number: inFull,
          width: 84,
          phone: 'none',
        },
      someNet && Boolean(inNet) && { ...net, phone: 'end' },
      {
        id: 'qty',
        label: 'Quantity',
        value: (line) => line.qty,
        number: qty,
        width: 96,
        muted: inNet,
        phone: inNet ? 'none' : 'end',
      },
      someNet && !inNet && net,
    ];
    return all.flatMap((column) => (column ? [{ ...column, sortable: false }] : []));
  }, [kind, inNet, mayOpenDay, link, cell, itemId, source.rows]);

  return (
    <Drawer.Body className={classes.body}>
      <Caption
        cell={cell}
        note={
          whole
            ? headOf(whole, { inNet, priced: said.pricedOf?.(itemId) })
            : source.error
              ? MISSING
              : '…'
        }
      />
      <Grid<SalesLine>
        {...gridBasics}
        label="Store-days of this figure"
        rows={source.rows.map((row, i) => ({ key: String(i), row }))}
        columns={columns}
        phone={phone}
        pending={source.pending}
        rowLabel={({ storeName, from }) => `${storeName} ${day(from)}`}
        need={source.need}
        grid={grid}
      >
        {source.error ? (
          <Failed what="store-days" error={source.error} retry={source.retry} />
        ) : !source.pending && source.rows.length === 0 ? (
          <EmptyState
            icon={IconInbox}
            title="Nothing behind this figure"
            text="It may have changed since the report was loaded."
          />
        ) : null}
      </Grid>
    </Drawer.Body>
  );
}
