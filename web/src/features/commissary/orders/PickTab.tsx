import { Checkbox } from '@mantine/core';
import { IconClipboardList } from '@tabler/icons-react';
import { useMemo } from 'react';
import { DataTable } from '#/table/DataTable';
import type { Column } from '#/table/types';
import type { TableState } from '#/table/useTableState';
import { plural, qty } from '#/ui/format';
import { Segments } from '#/ui/Segments';
import type { Orders } from '../kitchenOrders';
import { isWaiting, type Row, seen } from './figures';
import classes from './Orders.module.css';
import own from './Outputs.module.css';
import { type Pick, type PickBy, pickList } from './picking';

interface Props {
  orders: Orders;
  rows: readonly Row[];
  state: TableState;
}

/** What to pick for which store; meant to be printed. */
export function PickTab({ orders, rows, state }: Props) {
  const by: PickBy = state.get('by') === 'store' ? 'store' : 'storage';
  const withWaiting = state.get('waiting') === '1';
  const picks = useMemo(
    () => pickList(orders, rows, by, withWaiting),
    [orders, rows, by, withWaiting],
  );
  const waiting = orders.stores.flatMap((store) => store.orders).filter(isWaiting).length;
  // Repeats the heading only if a search hides it.
  const searching = state.q !== '';
  const columns = useMemo(
    () =>
      COLUMNS.filter(({ id }) => searching || (id === 'storage' ? by === 'store' : id !== 'store')),
    [by, searching],
  );
  return (
    <DataTable<Pick>
      bare
      id="kitchen-picks"
      title="Pick list"
      one="line"
      many="items"
      icon={IconClipboardList}
      source={{
        rows: picks,
        total: picks.length,
        pending: false,
        error: null,
        retry: () => {},
        remote: false,
      }}
      columns={columns}
      rowId={({ id }) => id}
      rowLabel={({ name, store }) => `${name}, ${store}`}
      state={state}
      placeholder="Find a product or store"
      heading={({ heading }) => heading}
      filters={
        <>
          <Segments<PickBy>
            label="In which order"
            value={by}
            options={[
              { value: 'storage', label: 'By storage, then store' },
              { value: 'store', label: 'By store' },
            ]}
            onChange={(next) => state.set({ by: next === 'store' ? next : null })}
          />
          {waiting > 0 && (
            <Checkbox
              size="xs"
              className={classes.only}
              label={`With ${plural(waiting, 'order')} to approve`}
              checked={withWaiting}
              onChange={(event) => state.set({ waiting: event.currentTarget.checked ? '1' : null })}
            />
          )}
        </>
      }
      empty={{
        title: 'Nothing to pick',
        text:
          waiting > 0
            ? `${plural(waiting, 'order')} still ${waiting === 1 ? 'waits' : 'wait'} for approval; what is approved shows here.`
            : 'Nothing that is approved is left to send.',
      }}
    />
  );
}

const COLUMNS: readonly Column<Pick>[] = [
  {
    id: 'name',
    label: 'Product',
    primary: true,
    sortable: false,
    value: ({ name }) => name,
  },
  {
    id: 'qty',
    label: 'To pick',
    width: 92,
    value: ({ qty: value }) => (value === null ? null : seen(value)),
    number: (value) => (value == null ? '' : qty(value)),
    sortable: false,
    phone: 'end',
    unit: ({ unit }) => unit,
  },
  {
    id: 'unit',
    label: 'Unit',
    width: 72,
    value: ({ heading, unit }) => (heading ? null : unit),
    sortable: false,
    phone: 'none',
  },
  {
    id: 'picked',
    label: 'Picked',
    width: 84,
    value: () => null,
    cell: ({ heading }) => !heading && <span className={own.tick} aria-hidden />,
    sortable: false,
    phone: 'none',
  },
  {
    id: 'sku',
    label: 'SKU',
    width: 104,
    value: ({ sku }) => sku,
    muted: true,
    sortable: false,
    phone: 'sub',
  },
  {
    id: 'storage',
    label: 'Storage',
    width: 110,
    value: ({ heading, storage }) => (heading ? null : storage),
    sortable: false,
    phone: 'sub',
  },
  {
    id: 'store',
    label: 'Store',
    width: 170,
    value: ({ heading, store }) => (heading ? null : store),
    sortable: false,
    phone: 'none',
  },
  {
    id: 'orders',
    label: 'Order',
    width: 290,
    value: ({ heading, orders }) => (heading ? null : orders),
    sortable: false,
    phone: 'none',
  },
];
