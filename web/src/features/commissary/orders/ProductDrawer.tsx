import { useMemo } from 'react';
import { Link } from 'react-router';
import { EntryGrid } from '#/grid/EntryGrid';
import type { GridColumn } from '#/grid/types';
import { to } from '#/paths';
import { recordPath } from '#/records';
import { DrawerFrame } from '#/ui/DrawerFrame';
import { plural, qty } from '#/ui/format';
import type { Orders } from '../kitchenOrders';
import { figuresOf, Short } from './columns';
import own from './Drawer.module.css';
import { inUnit, type Row, type StoreCell, seen, sendText } from './figures';
import classes from './Orders.module.css';
import { shareEdit } from './ShareCell';
import { explain, explainGranted, leftOf } from './sharing';
import type { Sharing } from './useSharing';

interface Props {
  row: Row;
  orders: Orders;
  sharing: Sharing;
  onStore(storeId: string): void;
  onClose(): void;
}

interface Line {
  cell: StoreCell;
  name: string;
}

/** A product's figures and how they are computed, store by store; while sharing, its shares. */
export function ProductDrawer({ row, orders, sharing, onStore, onClose }: Props) {
  const { typing, method } = sharing;
  const unit = row.uomCode;
  const lines = useMemo(
    () =>
      orders.stores.flatMap(({ storeId, name }): Line[] => {
        const cell = row.cells.get(storeId);
        return cell ? [{ cell, name }] : [];
      }),
    [orders.stores, row],
  );
  const columns = useMemo((): GridColumn<Line>[] => {
    const edit = shareEdit(typing, row);
    const numbers = new Map(
      orders.stores.flatMap((store) => store.orders.map(({ id, orderNo }) => [id, orderNo])),
    );
    return [
      { id: 'store', label: 'Store', primary: true, width: 176, cell: ({ name }) => name },
      {
        id: 'orders',
        label: 'Order',
        width: 168,
        phone: 'sub',
        cell: ({ cell }) => {
          const [first, ...more] = [...new Set(cell.lines.map(({ orderId }) => orderId))];
          return (
            <span title={[first, ...more].map((id) => numbers.get(id ?? '')).join(', ')}>
              <Link className={classes.link} to={to('storesOrder', { id: first ?? '' })}>
                {numbers.get(first ?? '')}
              </Link>
              {more.length > 0 && (
                <button
                  type="button"
                  className={own.more}
                  aria-label={`${plural(more.length, 'more order', 'more orders')}`}
                  onClick={() => onStore(cell.storeId)}
                >
                  +{more.length}
                </button>
              )}
            </span>
          );
        },
      },
      {
        id: 'ordered',
        label: 'Ordered',
        width: 82,
        right: true,
        phone: 'sub',
        cell: ({ cell }) => qty(seen(cell.ordered)),
      },
      typing.on
        ? {
            id: 'share',
            label: 'Share',
            width: 92,
            right: true,
            edit: {
              kind: 'number',
              unit: ({ cell }) => edit.unit?.(cell),
              whole: ({ cell }) => edit.whole?.(cell),
              value: ({ cell }) => edit.value(cell),
              can: ({ cell }) => edit.can?.(cell) ?? true,
              check: (value, { cell }) => edit.check?.(value, cell) ?? null,
            },
          }
        : {
            id: 'toSend',
            label: 'To send',
            width: 82,
            right: true,
            phone: 'sub',
            cell: ({ cell }) => sendText(cell),
          },
      {
        id: 'why',
        label: typing.on ? 'Why' : 'How it was shared',
        phone: 'sub',
        cell: ({ cell }) => {
          const text = typing.on
            ? explain(row, cell, typing.shares, method)
            : explainGranted(row, cell);
          return (
            <span className={own.why} title={text}>
              {text}
            </span>
          );
        },
      },
    ];
  }, [typing, method, row, orders.stores, onStore]);
  const left = typing.on ? leftOf(row, typing.shares) : null;
  const product = recordPath('product', row.id);

  return (
    <DrawerFrame opened title={row.name} size={940} onClose={onClose}>
      <div className={own.drawer}>
        <dl className={own.facts}>
          {figuresOf([row]).map(({ id, label, value }) => (
            <div key={id}>
              <dt>{label}</dt>
              <dd>
                {id === 'short' ? (
                  <Short value={value(row)} />
                ) : (
                  qty(id === 'toProduce' && !row.made ? null : value(row))
                )}{' '}
                {unit}
              </dd>
            </div>
          ))}
          {left !== null && (
            <div>
              <dt>Left over</dt>
              <dd>
                {qty(seen(left))} {unit}
              </dd>
            </div>
          )}
        </dl>
        <p className={own.story}>
          {storyOf(row)}{' '}
          {product && (
            <Link className={classes.link} to={product}>
              Open product
            </Link>
          )}
        </p>
        <EntryGrid
          label={`Stores that ordered ${row.name}`}
          rows={lines}
          rowId={({ cell }) => cell.key}
          rowName={({ name }) => name}
          columns={columns}
          model={typing.model}
          errors={typing.errors}
        />
      </div>
    </DrawerFrame>
  );
}

/** Why the list of what is short names less. */
const IN_ORDERS = 'is in orders to approve';

/** How «short» and «to produce» are computed. */
export function storyOf(row: Row): string {
  const say = (base: number) => `${qty(seen(inUnit(base, row.factor)))}`;
  const { uomCode: unit, toSend, onHand, unusable, incoming, short, shortWaiting, toProduce } = row;
  const besides = unusable > 0 ? ` (without ${say(unusable)} recalled or expired)` : '';
  const sum = `${say(toSend)} still to send − ${say(Math.max(0, onHand))} on hand${besides} − ${say(incoming)} being made`;
  if (short <= 0) return `Not short: ${sum}.`;
  const waits = shortWaiting > 0 ? ` ${say(shortWaiting)} of it ${IN_ORDERS}.` : '';
  const words = `Short by ${say(short)} ${unit}: ${sum}.${waits}`;
  if (!row.made) {
    const packs = inUnit(short, row.factor);
    const buy = row.whole ? Math.ceil(packs) : packs;
    return `${words} No recipe makes it: buy ${qty(seen(buy))} ${unit}.`;
  }
  return `${words} Whole batches that cover it make ${say(toProduce)} ${unit}.`;
}
