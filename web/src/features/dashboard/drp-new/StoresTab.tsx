import { IconTruckDelivery } from '@tabler/icons-react';
import type { UseQueryResult } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { Link } from 'react-router';
import { useNameOf } from '#/api/names';
import { useCan } from '#/api/session';
import { to } from '#/paths';
import { DataTable } from '#/table/DataTable';
import { clientSource } from '#/table/sources';
import type { Column } from '#/table/types';
import type { TableState } from '#/table/useTableState';
import { amount, count } from '#/ui/format';
import { Segments } from '#/ui/Segments';
import { StatusPill } from '#/ui/StatusPill';
import { sum } from '#/ui/sums';
import { usePhone } from '#/ui/usePhone';
import classes from './Drp.module.css';
import { MakeOrders } from './MakeOrders';
import type { StorePlan, StorePlans } from './wire';

interface Props {
  state: TableState;
  query: UseQueryResult<StorePlans>;
}

type Row = StorePlan & { name: string };

const hasToOrder = ({ toOrder }: Row) => toOrder > 0;

const ONLY: Readonly<Record<string, (row: Row) => boolean>> = {
  order: hasToOrder,
  risk: ({ atRisk }) => atRisk > 0,
  notPlanned: ({ note }) => note !== null,
};

/** All stores: how much each should order, and where stock will run out. */
export function StoresTab({ state, query }: Props) {
  const names = useNameOf('stores');
  const mayOrder = useCan('stores/storeOrders', 'create');
  const [ordering, setOrdering] = useState<readonly StorePlan[] | null>(null);
  const phone = usePhone();
  const only = state.get('only');
  const rows = useMemo(() => {
    const all = query.data?.items.map((item) => ({
      ...item,
      name: names.get(item.storeId)?.name ?? '',
    }));
    const is = ONLY[only];
    // Stores that run out come first.
    const sorted = all?.toSorted((a, b) => b.atRisk - a.atRisk || a.name.localeCompare(b.name));
    return sorted && is ? sorted.filter(is) : sorted;
  }, [query.data, names, only]);
  const columns = useMemo(() => columnsOf(rows ?? [], phone), [rows, phone]);
  const planRunId = query.data?.planRunId;

  return (
    <>
      <DataTable<Row>
        bare
        totals
        id="drp-stores"
        title="Plan"
        one="store"
        many="stores"
        icon={IconTruckDelivery}
        source={clientSource({ ...query, data: rows })}
        columns={columns}
        rowId={({ storeId }) => storeId}
        rowLabel={({ name }) => name}
        state={state}
        onOpen={({ storeId }) => state.set({ store: storeId, only: null, q: null }, true)}
        narrowed={only !== ''}
        onClear={() => state.set({ q: null, only: null })}
        filters={
          <Segments
            label="Which"
            value={only}
            options={[
              { value: '', label: 'All' },
              { value: 'order', label: 'To order' },
              { value: 'risk', label: 'Running out' },
              { value: 'notPlanned', label: 'Not planned' },
            ]}
            onChange={(next) => state.set({ only: next || null })}
          />
        }
        pickable={hasToOrder}
        bulkActions={
          mayOrder && planRunId
            ? [
                {
                  label: 'Make orders',
                  run: (picked, clear) => {
                    setOrdering(picked);
                    clear();
                  },
                },
              ]
            : undefined
        }
        empty={{
          title: 'No plan yet',
          text: 'A plan is made every night from the forecast, what stores have and what is on its way. Make one now with «Plan now».',
        }}
      />
      {ordering && planRunId && (
        <MakeOrders
          planRunId={planRunId}
          stores={ordering.map(({ storeId }) => storeId)}
          count={sum(ordering.map(({ toOrder }) => toOrder))}
          onClose={() => setOrdering(null)}
        />
      )}
    </>
  );
}

function columnsOf(rows: readonly Row[], phone: boolean): Column<Row>[] {
  return [
    { id: 'name', label: 'Store', primary: true, value: ({ name }) => name, total: 'Total' },
    ...(rows.some(({ note }) => note)
      ? [
          {
            id: 'note',
            label: 'Not planned because',
            width: 250,
            value: ({ note }: Row) => note,
            phone: 'sub' as const,
            muted: true,
          },
        ]
      : []),
    {
      id: 'toOrder',
      label: 'To order',
      title: 'Products that should be ordered now',
      width: 100,
      value: ({ toOrder }) => toOrder,
      number: count,
      phone: 'end',
      total: count(sum(rows.map(({ toOrder }) => toOrder))),
    },
    {
      id: 'amount',
      label: 'Worth, ₱',
      title: 'What is to be ordered, at its price',
      width: 120,
      value: (row) => row.amount,
      number: amount,
      phone: 'none',
      total: amount(sum(rows.map((row) => row.amount))),
    },
    {
      id: 'atRisk',
      label: 'Running out',
      title: 'Products that will run out before they can be delivered',
      width: 110,
      value: ({ atRisk }) => atRisk,
      cell: ({ atRisk }) => (
        <span className={atRisk > 0 ? classes.risk : undefined}>
          {count(atRisk)}
          {phone && ' running out'}
        </span>
      ),
      align: 'right',
      phone: 'sub',
      total: count(sum(rows.map(({ atRisk }) => atRisk))),
    },
    {
      id: 'capped',
      label: 'Held back',
      title: 'Less is suggested than needed: shelf life, storage or a maximum',
      width: 100,
      value: ({ capped }) => capped,
      number: count,
      phone: 'none',
      total: count(sum(rows.map(({ capped }) => capped))),
    },
    {
      id: 'orders',
      label: 'Orders made',
      width: 190,
      value: ({ orders }) => orders.length,
      cell: ({ orders }) =>
        orders.length === 0 ? (
          '–'
        ) : (
          <span className={classes.links}>
            {orders.slice(0, 2).map(({ id, number, state }) => (
              <Link key={id} to={to('storesOrder', { id })} title={state}>
                {number}
              </Link>
            ))}
            {orders.length > 2 && <StatusPill tone="neutral">{`+${orders.length - 2}`}</StatusPill>}
          </span>
        ),
      phone: 'none',
    },
  ];
}
