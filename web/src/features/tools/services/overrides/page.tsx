import { Button } from '@mantine/core';
import { IconPencil, IconPlus, IconTrash } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { useNameOf } from '#/api/names';
import { useCan } from '#/api/session';
import { pages } from '#/paths';
import { DataTable } from '#/table/DataTable';
import { clientSource } from '#/table/sources';
import type { Column } from '#/table/types';
import { useTableState } from '#/table/useTableState';
import { BackLink } from '#/ui/BackLink';
import { today } from '#/ui/dates';
import { count, day, plural, qty } from '#/ui/format';
import { Page } from '#/ui/Page';
import { Segments } from '#/ui/Segments';
import { StatusPill, type Tone } from '#/ui/StatusPill';
import { FORECAST, type Override, overrideApi } from '../forecastApi';
import { OverrideDrawer, removeOverride } from '../OverrideDrawer';
import { inForce, type Standing, standingOf } from './standing';

/** The most shown; the newest days come first. */
const MOST = 500;

type Row = Override & { store: string; item: string; standing: Standing };

const TONES: Readonly<Record<Standing, Tone>> = { now: 'ok', coming: 'brand', over: 'neutral' };
const WORDS: Readonly<Record<Standing, string>> = {
  now: 'In force',
  coming: 'To come',
  over: 'Over',
};

/** Forecasts set by hand: how much a day, why and until when. */
export default function ForecastOverridesPage() {
  const state = useTableState();
  const stores = useNameOf('stores');
  const items = useNameOf('root-items');
  const mayEdit = useCan('tools/services', 'edit');
  const query = useQuery({
    queryKey: [...FORECAST, 'overrides'],
    queryFn: ({ signal }) => overrideApi.page({ limit: MOST, offset: 0 }, signal),
  });
  const all = state.get('only') === 'all';
  const now = today();
  const rows = useMemo(
    () =>
      query.data?.items
        .filter((one) => all || inForce(one, now))
        .map((one) => ({
          ...one,
          store: stores.get(one.storeId)?.name ?? '',
          item: items.get(one.rootItemId)?.name ?? '',
          standing: standingOf(one, now),
        })),
    [query.data, stores, items, all, now],
  );
  const open = state.get('open');
  const record = query.data?.items.find(({ id }) => id === open) ?? null;
  const openNew = () => state.set({ open: 'new' }, true);
  const create = mayEdit && (
    <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={openNew}>
      New override
    </Button>
  );

  return (
    <Page
      fill
      title="Forecast overrides"
      back={<BackLink to={pages.toolsServices.path} label="Services" />}
      aside={
        rows &&
        `${plural(rows.length, 'override')}${(query.data?.total ?? 0) > MOST ? ` of the newest ${count(MOST)}` : ''}`
      }
      actions={create}
    >
      <DataTable<Row>
        bare
        id="forecast-overrides"
        title="Forecast overrides"
        one="override"
        many="overrides"
        icon={IconPencil}
        source={clientSource({ ...query, data: rows })}
        columns={COLUMNS}
        rowId={({ id }) => id}
        rowLabel={({ item, store }) => `${item}, ${store}`}
        state={state}
        onOpen={({ id }) => state.set({ open: id }, true)}
        onNew={mayEdit ? openNew : undefined}
        faded={({ standing }) => standing === 'over'}
        filters={
          <Segments
            label="Which"
            value={all ? 'all' : ''}
            options={[
              { value: '', label: 'In force and to come' },
              { value: 'all', label: 'All' },
            ]}
            onChange={(next) => state.set({ only: next || null })}
          />
        }
        rowActions={
          mayEdit
            ? [
                {
                  label: 'Delete override',
                  icon: IconTrash,
                  danger: true,
                  run: (row) => void removeOverride(row),
                },
              ]
            : undefined
        }
        empty={{
          title: all ? 'No overrides yet' : 'No overrides in force',
          text: 'Where you know more than past sales do, such as a closed street, say how much a day will be used. Accuracy then judges it like any method.',
          action: create,
        }}
      />
      <OverrideDrawer
        opened={open === 'new' || record !== null}
        record={record}
        initial={{
          storeId: state.get('store') || null,
          rootItemId: state.get('item') || null,
          from: now,
          to: now,
        }}
        readOnly={!mayEdit}
        onClose={() => state.set({ open: null, store: null, item: null })}
      />
    </Page>
  );
}

const COLUMNS: readonly Column<Row>[] = [
  { id: 'item', label: 'Root item', primary: true, value: ({ item }) => item },
  { id: 'store', label: 'Store', width: 170, value: ({ store }) => store, phone: 'sub' },
  {
    id: 'standing',
    label: 'State',
    width: 100,
    value: ({ standing }) => WORDS[standing],
    cell: ({ standing }) => <StatusPill tone={TONES[standing]}>{WORDS[standing]}</StatusPill>,
    phone: 'sub',
  },
  {
    id: 'from',
    label: 'From',
    width: 112,
    value: ({ from }) => from,
    cell: ({ from }) => day(from),
    phone: 'none',
  },
  {
    id: 'to',
    label: 'To',
    width: 112,
    value: ({ to }) => to,
    cell: ({ to }) => day(to),
    phone: 'sub',
  },
  {
    id: 'qty',
    label: 'A day',
    width: 96,
    value: (row) => Number(row.qty),
    number: qty,
    phone: 'end',
  },
  { id: 'reason', label: 'Reason', width: 260, value: ({ reason }) => reason, phone: 'none' },
  {
    id: 'by',
    label: 'By',
    width: 130,
    muted: true,
    value: ({ updatedBy }) => updatedBy.name,
    phone: 'none',
  },
];
