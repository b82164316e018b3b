import { IconTruckDelivery } from '@tabler/icons-react';
import { type ReactNode, useMemo } from 'react';
import { useNavigate } from 'react-router';
import { StoreSelect } from '#/documents/StoreSelect';
import { pages } from '#/paths';
import { recordPath } from '#/records';
import { type InTransitItem, useInTransit } from '#/stock/api';
import { DataTable } from '#/table/DataTable';
import { clientSource } from '#/table/sources';
import type { Column } from '#/table/types';
import { useTableState } from '#/table/useTableState';
import { day, moment, plural, qty } from '#/ui/format';
import { Segments } from '#/ui/Segments';
import { StatusPill } from '#/ui/StatusPill';
import classes from './InTransit.module.css';

type Line = InTransitItem['lines'][number];

/** A line in transit, with its document. */
interface Row extends Line {
  key: string;
  of: InTransitItem;
}

const pathOf = ({ kind, id }: InTransitItem) => recordPath(kind, id) ?? pages.storesReceive.path;

/** Everything on its way, and what a receipt left open: since when, and on which document. */
export function InTransit({ above }: { above: ReactNode }) {
  const state = useTableState();
  const navigate = useNavigate();
  const storeId = state.get('storeId');
  const only = state.get('only');
  const query = useInTransit(storeId);
  const rows = useMemo<Row[] | undefined>(
    () =>
      query.data?.items
        .filter(({ daysLate }) => only !== 'late' || daysLate > 0)
        .flatMap((of) => of.lines.map((line, i) => ({ ...line, key: `${of.id} ${i}`, of }))),
    [query.data, only],
  );
  const late = query.data?.late;
  return (
    <DataTable<Row>
      id="in-transit"
      title="Deliveries"
      above={above}
      one="line"
      many="lines on their way"
      icon={IconTruckDelivery}
      source={clientSource({ ...query, data: rows })}
      columns={COLUMNS}
      rowId={({ key }) => key}
      rowLabel={({ name, of }) => `${name} on ${of.number}`}
      state={state}
      placeholder="Find by item, lot or delivery"
      narrowed={Boolean(storeId || only)}
      onClear={() => state.set({ q: null, storeId: null, only: null })}
      filters={
        <>
          <Segments
            label="Which"
            value={only}
            options={[
              { value: '', label: 'All' },
              { value: 'late', label: late === undefined ? 'Late' : `Late ${late}` },
            ]}
            onChange={(next) => state.set({ only: next || null })}
          />
          <StoreSelect value={storeId} onChange={(id) => state.set({ storeId: id || null })} />
        </>
      }
      hrefOf={({ of }) => pathOf(of)}
      onOpen={({ of }) => void navigate(pathOf(of))}
      empty={{
        title: 'Nothing is on its way',
        text: 'What a delivery or a transfer sends shows here until the store has taken it in.',
      }}
    />
  );
}

const COLUMNS: readonly Column<Row>[] = [
  { id: 'name', label: 'Item', primary: true, value: ({ name }) => name },
  {
    id: 'qty',
    label: 'On its way',
    width: 104,
    value: (row) => row.qty,
    number: qty,
    phone: 'end',
    unit: ({ uomCode }) => uomCode,
  },
  { id: 'unit', label: 'Unit', width: 64, value: ({ uomCode }) => uomCode, phone: 'none' },
  { id: 'lot', label: 'Lot', width: 104, value: ({ lot }) => lot ?? '–', phone: 'none' },
  {
    id: 'planned',
    label: 'Promised for',
    width: 196,
    value: ({ of }) => of.plannedDate,
    cell: ({ of }) => (
      <span className={classes.planned}>
        {day(of.plannedDate)}
        {of.daysLate > 0 && (
          <StatusPill tone="danger">{`${plural(of.daysLate, 'day')} late`}</StatusPill>
        )}
        {of.undecided && <StatusPill tone="warn">Difference to settle</StatusPill>}
      </span>
    ),
    phone: 'sub',
  },
  {
    id: 'number',
    label: 'Delivery',
    width: 150,
    value: ({ of }) => of.number,
    phone: 'sub',
  },
  { id: 'from', label: 'From', width: 144, value: ({ of }) => of.sourceName ?? '–', phone: 'none' },
  { id: 'to', label: 'To', width: 150, value: ({ of }) => of.storeName ?? '–', phone: 'sub' },
  {
    id: 'since',
    label: 'Left',
    width: 156,
    value: ({ of }) => of.dispatchedAt,
    cell: ({ of }) => moment(of.dispatchedAt),
    phone: 'none',
  },
];
