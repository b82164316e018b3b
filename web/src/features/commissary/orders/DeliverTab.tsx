import { Button } from '@mantine/core';
import { IconTruckDelivery } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { Fragment, useMemo, useState } from 'react';
import { Link } from 'react-router';
import { request } from '#/api/client';
import { Problem } from '#/api/problem';
import { queries } from '#/api/queries';
import { useCan } from '#/api/session';
import { deliveryDef } from '#/documents/deliveries';
import { KITCHEN_ORDERS } from '#/documents/kitchenOrders';
import { to } from '#/paths';
import { DataTable } from '#/table/DataTable';
import type { Column } from '#/table/types';
import type { TableState } from '#/table/useTableState';
import { Dialog } from '#/ui/Dialog';
import { ErrorBox } from '#/ui/ErrorBox';
import { count, plural } from '#/ui/format';
import { StatusPill } from '#/ui/StatusPill';
import type { MadeDelivery, Orders } from '../kitchenOrders';
import { useOpenDeliveries } from '../openDeliveries';
import type { Row } from './figures';
import classes from './Orders.module.css';
import own from './Outputs.module.css';
import { type ToSend, toSend } from './picking';

/** Further deliveries are opened from their list. */
const MOST_LINKS = 8;

interface Props {
  orders: Orders;
  rows: readonly Row[];
  state: TableState;
}

interface Line extends ToSend {
  result: MadeDelivery | undefined;
}

/** Deliveries of approved orders, one per store, all in one step. */
export function DeliverTab({ orders, rows, state }: Props) {
  const may = useCan(deliveryDef.page, 'create');
  const known = useOpenDeliveries(orders.commissaryId);
  const [results, setResults] = useState<ReadonlyMap<string, MadeDelivery>>(new Map());
  const [asking, setAsking] = useState<readonly Line[] | null>(null);
  const lines = useMemo(
    () =>
      toSend(orders.stores, rows, known).map((one) => ({ ...one, result: results.get(one.id) })),
    [orders.stores, rows, results, known],
  );
  const ready = lines.filter(isReady);
  const make = useMutation({
    mutationFn: (chosen: readonly Line[]) => {
      const orderIds = chosen.flatMap((line) => line.orders.map(({ id }) => id));
      return request('POST', '/api/commissary/orders/deliveries', { json: { orderIds } });
    },
    onSuccess: ({ items }) => {
      setResults(
        (before) => new Map([...before, ...items.map((one) => [one.storeId, one] as const)]),
      );
      setAsking(null);
      void queries.invalidateQueries({ queryKey: KITCHEN_ORDERS });
      void queries.invalidateQueries({ queryKey: deliveryDef.key });
    },
  });
  const failed = [...results.values()].filter(({ problem }) => problem);
  const made = [...results.values()].filter(({ deliveryId }) => deliveryId);
  const nameOf = (id: string) => orders.stores.find(({ storeId }) => storeId === id)?.name ?? '';

  return (
    <>
      {results.size > 0 && (
        <div className={own.results} data-tone={failed.length ? 'warn' : 'ok'} role="status">
          {made.length > 0 && (
            <span>
              {plural(made.length, 'delivery', 'deliveries')} made.{' '}
              {made.slice(0, MOST_LINKS).map(({ deliveryId, deliveryNo }, i) => (
                <Fragment key={deliveryId}>
                  {i > 0 && ', '}
                  <Link
                    className={own.made}
                    to={to('commissaryDeliveryOne', { id: deliveryId ?? '' })}
                  >
                    {deliveryNo}
                  </Link>
                </Fragment>
              ))}
              {made.length > MOST_LINKS && (
                <>
                  {' and '}
                  <Link className={own.made} to={to('commissaryDeliveries')}>
                    {count(made.length - MOST_LINKS)} more
                  </Link>
                </>
              )}
            </span>
          )}
          {failed.map(({ storeId, problem }) => (
            <span key={storeId}>
              <b>{nameOf(storeId)}:</b> {problem}
            </span>
          ))}
        </div>
      )}
      <DataTable<Line>
        bare
        id="kitchen-deliveries"
        title="Make deliveries"
        one="store"
        many="stores"
        icon={IconTruckDelivery}
        source={{
          rows: lines,
          total: lines.length,
          pending: false,
          error: null,
          retry: () => {},
          remote: false,
        }}
        columns={COLUMNS}
        rowId={({ id }) => id}
        rowLabel={({ name }) => name}
        state={state}
        filters={
          may && (
            <Button
              size="xs"
              className={classes.act}
              disabled={ready.length === 0}
              leftSection={<IconTruckDelivery size={16} aria-hidden />}
              onClick={() => setAsking(ready)}
            >
              {ready.length > 0
                ? `Make ${plural(ready.length, 'delivery', 'deliveries')}`
                : 'Make deliveries'}
            </Button>
          )
        }
        pickable={isReady}
        bulkActions={
          may
            ? [
                {
                  label: 'Make deliveries',
                  run: (chosen, clear) => {
                    setAsking(chosen);
                    clear();
                  },
                },
              ]
            : undefined
        }
        empty={{
          title: 'Nothing to send',
          text: 'Nothing that is approved until this day is left to send.',
        }}
      />
      {asking && (
        <Dialog
          opened
          title={`Make ${plural(asking.length, 'delivery', 'deliveries')}?`}
          keep="Not yet"
          confirm="Make deliveries"
          busy={make.isPending}
          onConfirm={() => make.mutate(asking)}
          onClose={() => setAsking(null)}
        >
          {make.error && <ErrorBox focus>{Problem.of(make.error).message}</ErrorBox>}
          <p>
            One delivery for each store, with all that is approved and not sent yet. Nothing leaves
            the stock before it is dispatched.
          </p>
        </Dialog>
      )}
    </>
  );
}

/** Something is approved that is not in a delivery yet. */
const isReady = ({ orders }: Line) => orders.length > 0;

const COLUMNS: readonly Column<Line>[] = [
  { id: 'name', label: 'Store', primary: true, value: ({ name }) => name },
  {
    id: 'delivery',
    label: 'Delivery',
    width: 320,
    value: ({ made, orders }) => made[0]?.deliveryNo ?? (orders.length > 0 ? 'Ready' : ''),
    cell: ({ made, orders, items, waiting, result }) => (
      <span className={own.state}>
        {made.map(({ id, deliveryNo }) => (
          <Link key={id} className={classes.link} to={to('commissaryDeliveryOne', { id })}>
            {deliveryNo}
          </Link>
        ))}
        {result?.problem && orders.length > 0 ? (
          <span className={classes.short} title={result.problem}>
            {result.problem}
          </span>
        ) : (
          orders.length > 0 && (
            <StatusPill tone="brand">{`${plural(items, 'line')} ready`}</StatusPill>
          )
        )}
        {orders.length === 0 && waiting > 0 && (
          <StatusPill tone="warn">{`${plural(waiting, 'order')} to approve`}</StatusPill>
        )}
      </span>
    ),
    phone: 'sub',
  },
  {
    id: 'orders',
    label: 'Orders',
    width: 260,
    value: ({ orders }) => orders.map(({ orderNo }) => orderNo).join(', '),
    cell: ({ orders }) =>
      orders.length === 0
        ? '–'
        : orders.map(({ id, orderNo }, i) => (
            <span key={id}>
              {i > 0 && ', '}
              <Link className={classes.link} to={to('storesOrder', { id })}>
                {orderNo}
              </Link>
            </span>
          )),
    phone: 'none',
  },
  {
    id: 'items',
    label: 'Lines to send',
    width: 116,
    value: ({ items }) => items || null,
    number: count,
    phone: 'none',
  },
];
