import { IconDeviceDesktop } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { useNavigate } from 'react-router';
import { useCan } from '#/api/session';
import { StoreSelect } from '#/documents/StoreSelect';
import { to } from '#/paths';
import { DataTable } from '#/table/DataTable';
import { clientSource } from '#/table/sources';
import type { Column } from '#/table/types';
import type { TableState } from '#/table/useTableState';
import { useTerminals, type ZTerminalRow } from './api';
import { TillDrawer } from './TillDrawer';
import { taughtOf } from './till';
import classes from './ZReading.module.css';

const COLUMNS: Column<ZTerminalRow>[] = [
  {
    id: 'store',
    label: 'Store',
    primary: true,
    width: 220,
    value: ({ storeName }) => storeName,
  },
  { id: 'till', label: 'Till', width: 110, phone: 'end', value: ({ terminalId }) => terminalId },
  {
    id: 'basis',
    label: 'Grand total grows by',
    width: 170,
    phone: 'sub',
    value: ({ basis }) => (basis === 'gross' ? 'Gross sales' : 'Net sales'),
  },
  {
    id: 'vat',
    label: 'VATable sales',
    width: 150,
    phone: 'sub',
    value: ({ vat }) => (vat === 'inclusive' ? 'With VAT' : 'Without VAT'),
  },
  { id: 'min', label: 'MIN', phone: 'none', value: ({ min }) => min ?? '' },
  { id: 'tin', label: 'TIN', phone: 'none', value: ({ tin }) => tin ?? '' },
  {
    id: 'taught',
    label: 'Own words',
    width: 110,
    phone: 'none',
    value: (row) => taughtOf(row).words.length,
    number: (value) => (value ? String(value) : '–'),
  },
  {
    id: 'by',
    label: 'Set by',
    width: 150,
    muted: true,
    phone: 'none',
    value: ({ revision, updatedBy }) => (revision > 0 ? updatedBy.name : 'Nobody yet'),
  },
];

const nameOf = ({ storeName, terminalId }: ZTerminalRow) => `${storeName}, till ${terminalId}`;
const idOf = ({ storeId, terminalId }: ZTerminalRow) => `${storeId}/${terminalId}`;

interface Props {
  nav: ReactNode;
  state: TableState;
}

/** Each till's calculation rules, machine number and printed words. */
export function TillsView({ nav, state }: Props) {
  const storeId = state.get('storeId');
  const navigate = useNavigate();
  const mayCreate = useCan('sales/zReading', 'create');
  const query = useTerminals(storeId);
  const source = clientSource({ ...query, data: query.data?.items });
  const opened = state.get('till');
  const till = query.data?.items.find((row) => idOf(row) === opened);
  return (
    <>
      <DataTable<ZTerminalRow>
        id="z-tills"
        title="Z-readings"
        one="till"
        many="tills"
        icon={IconDeviceDesktop}
        source={source}
        columns={COLUMNS}
        rowId={idOf}
        rowLabel={nameOf}
        state={state}
        placeholder="Find by store, till, MIN or TIN"
        narrowed={storeId !== ''}
        onClear={() => state.set({ q: null, storeId: null })}
        above={nav}
        filters={
          <div className={classes.filters}>
            <StoreSelect
              value={storeId}
              onChange={(id) => state.set({ storeId: id || null, till: null })}
            />
          </div>
        }
        onOpen={(row) => state.set({ till: idOf(row) })}
        onNew={
          mayCreate
            ? () => void navigate(to('salesZReadingOne', { id: 'new' }, { storeId }))
            : undefined
        }
        empty={{
          title: 'No tills yet',
          text: 'A till is known once its store’s page lists it, or it has a Z-reading.',
        }}
      />
      {till && (
        <TillDrawer
          key={idOf(till)}
          till={till}
          name={nameOf(till)}
          onClose={() => state.set({ till: null })}
        />
      )}
    </>
  );
}
