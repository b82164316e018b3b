import type { MatrixColumn } from '#/reports/matrix/types';
import { today } from '#/ui/dates';
import { count, qty } from '#/ui/format';
import type { Orders } from '../kitchenOrders';
import { inUnit, leftToSend, type Row, seen, sendText, storeLabel } from './figures';
import classes from './Orders.module.css';
import { ShareCell } from './ShareCell';
import { leftOf } from './sharing';
import type { Typing } from './useSharing';

const of = (read: (row: Row) => number) => (row: Row) => seen(inUnit(read(row), row.factor));

/** A product's figures over all stores. Ordered = cut + approved; approved = sent + to send + closed short; to send = covered + short. */
export const FIGURES = [
  { id: 'ordered', label: 'Ordered', value: of(({ ordered }) => ordered) },
  { id: 'cut', label: 'Cut', value: of(({ cut }) => cut) },
  { id: 'approved', label: 'Approved', value: of(({ approved }) => approved) },
  { id: 'sent', label: 'Sent', value: of(({ sent }) => sent) },
  { id: 'closedShort', label: 'Closed short', value: of(({ closedShort }) => closedShort) },
  { id: 'toSend', label: 'To send', value: of(({ toSend }) => toSend) },
  { id: 'onHand', label: 'On hand', value: of(({ onHand }) => onHand) },
  { id: 'incoming', label: 'Incoming', value: of(({ incoming }) => incoming) },
  { id: 'covered', label: 'Covered', value: of(({ covered }) => covered) },
  { id: 'short', label: 'Short', value: of(({ short }) => short) },
  { id: 'toProduce', label: 'To produce', value: of(({ toProduce }) => toProduce) },
] as const;

const PARTS = ['cut', 'sent', 'closedShort'] as const;

/** The figures that tell something: what was cut, sent and closed short only where something was. */
export function figuresOf(rows: readonly Row[]) {
  const parts = new Set<string>(PARTS.filter((id) => rows.some((row) => row[id] !== 0)));
  const shown = (id: string) => !PARTS.some((part) => part === id) || parts.has(id);
  return FIGURES.filter(({ id }) => (id === 'approved' ? parts.size > 0 : shown(id)));
}

/** The figures that shares are worked out from: while sharing, the cells to type in come right after them. */
const SHARED_BY: ReadonlySet<string> = new Set(['toSend', 'onHand', 'incoming']);

interface Asked {
  orders: Orders;
  rows: readonly Row[];
  typing: Typing;
  onProduct(row: Row): void;
  onStore(storeId: string): void;
}

/** The columns after a product's name: its figures, then the stores. */
export function columnsOf({ orders, rows, typing, onProduct, onStore }: Asked) {
  const { on, shares } = typing;
  const figures = figuresOf(rows).filter(({ id }) => !on || SHARED_BY.has(id));
  const columns: MatrixColumn<Row>[] = [
    {
      id: 'unit',
      label: 'Unit',
      width: 54,
      least: 46,
      align: 'left',
      value: ({ uomCode }) => uomCode,
    },
    ...figures.map(
      ({ id, label, value }): MatrixColumn<Row> => ({
        id,
        label,
        width: 84,
        // As its longest word needs.
        least: /\w{8}/.test(label) ? 77 : label.length < 6 ? 58 : 68,
        value,
        format: qty,
        ...(id === 'short' && {
          cell: (row: Row) => <Short value={value(row)} />,
          foot: String(rows.filter(({ short }) => short > 0).length || ''),
        }),
        onPick: (row) => row && onProduct(row),
      }),
    ),
  ];
  const now = today();
  const left = leftToSend(orders.cells);
  for (const store of orders.stores) {
    const { storeId, name } = store;
    const lines = rows.filter(({ cells }) => cells.has(storeId)).length;
    columns.push({
      id: storeId,
      label: name,
      sub: storeLabel(store, now, left),
      title: `${name}: ${store.orders.map(({ orderNo }) => orderNo).join(', ')}`,
      width: 104,
      least: 84,
      grow: true,
      value: ({ cells }) => {
        const cell = cells.get(storeId);
        if (!cell) return null;
        return seen(on ? (shares.cells.get(cell.key)?.share ?? cell.toSend) : cell.toSend);
      },
      format: qty,
      cell: (row) => {
        const cell = row.cells.get(storeId);
        if (!cell) return null;
        if (on) return <ShareCell typing={typing} row={row} cell={cell} store={name} />;
        if (cell.toSend === 0)
          return (
            <span className={classes.sent} title="Nothing left to send">
              sent
            </span>
          );
        return (
          <span
            data-shared={cell.shared ? '' : undefined}
            className={classes.toSend}
            title={
              cell.sendable < cell.toSend
                ? `${qty(seen(cell.toSend - cell.sendable))} stay short until shared again`
                : undefined
            }
          >
            {sendText(cell)}
          </span>
        );
      },
      foot: count(lines),
      onPick: (row) => (row ? !on && onProduct(row) : onStore(storeId)),
    });
  }
  const total: MatrixColumn<Row> | null = on
    ? {
        id: 'left',
        label: 'Left over',
        width: 92,
        value: (row) => {
          const left = leftOf(row, shares);
          return left === null ? null : seen(left);
        },
        format: qty,
        onPick: (row) => row && onProduct(row),
      }
    : null;
  return { columns, total };
}

/** Highlights a shortage. */
export function Short({ value }: { value: number }) {
  return value > 0 ? <b className={classes.short}>{qty(value)}</b> : <>0</>;
}
