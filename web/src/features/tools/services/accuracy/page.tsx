import { Button, Select } from '@mantine/core';
import { IconTargetArrow } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { Link } from 'react-router';
import { useNameOf, useNames } from '#/api/names';
import { pages } from '#/paths';
import { DataTable } from '#/table/DataTable';
import { useServerSource } from '#/table/sources';
import { Toolbar } from '#/table/Toolbar';
import type { Source } from '#/table/types';
import { useTableState, writeSort } from '#/table/useTableState';
import { BackLink } from '#/ui/BackLink';
import { DateRange } from '#/ui/DateRange';
import { DrawerFrame } from '#/ui/DrawerFrame';
import { day, plural } from '#/ui/format';
import { Page } from '#/ui/Page';
import { Segments } from '#/ui/Segments';
import { useMyStores } from '#/ui/StoreChoice';
import { useWide } from '#/ui/usePhone';
import { useServices } from '../api';
import { FORECAST, fetchAccuracy, type Judged } from '../forecastApi';
import { methodLabel } from '../measures';
import classes from './Accuracy.module.css';
import { BY, type By, columnsOf, type Row, rowKey } from './columns';
import { HORIZONS, queryOf, readAccuracy } from './question';
import { SeriesView } from './SeriesView';

/** Forecasts against outcomes, the worst first. */
export default function ForecastAccuracyPage() {
  const state = useTableState();
  const stores = useNameOf('stores');
  const items = useNameOf('root-items');
  const wide = useWide();
  const asked = readAccuracy(state.get);
  const { by } = asked;
  const query = queryOf(asked);
  const sort = writeSort(state.sort) ?? '-wape';
  const key = [...FORECAST, 'accuracy', query, sort];
  const found = useServerSource<Judged>(key, (page, pageSize, signal) =>
    fetchAccuracy({ ...query, sort, limit: pageSize, offset: (page - 1) * pageSize }, signal),
  );
  // The first page is loaded already; it has the compared days and runs.
  const { data: told } = useQuery({
    queryKey: [...key, 'told'],
    queryFn: ({ signal }) => fetchAccuracy({ ...query, sort, limit: 1, offset: 0 }, signal),
  });
  const source = useMemo<Source<Row>>(
    () => ({
      ...found,
      rows: found.rows.map(
        (row) =>
          row && {
            ...row,
            store: stores.get(row.storeId ?? '')?.name ?? '',
            item: items.get(row.rootItemId ?? '')?.name ?? '',
          },
      ),
    }),
    [found, stores, items],
  );
  const [rowStore = '', rowItem = ''] = state.get('row').split('/');
  const open = by === 'series' && rowStore && rowItem ? [rowStore, rowItem] : null;
  const beside = Boolean(open) && wide;
  const columns = useMemo(() => columnsOf(by, beside), [by, beside]);
  const close = () => state.set({ row: null });
  const judged = source.rows.find((row) => row && rowKey(row) === state.get('row'));
  const name = open
    ? [items.get(rowItem)?.name, stores.get(rowStore)?.name].filter(Boolean).join(', ')
    : '';
  const view = open && (
    <SeriesView
      key={state.get('row')}
      query={{ ...query, storeId: rowStore, rootItemId: rowItem }}
      name={name}
      judged={judged}
      state={state}
      onClose={beside ? close : undefined}
    />
  );

  /** Opens a row's parts, or a series' chart. */
  function openRow(row: Row): void {
    if (by === 'series') state.set({ row: rowKey(row) }, !open);
    else if (by === 'store') state.set({ by: null, store: row.storeId ?? null, sort: null }, true);
    else if (by === 'item') state.set({ by: null, item: row.rootItemId ?? null, sort: null }, true);
    else state.set({ by: null, method: row.method ?? null, sort: null }, true);
  }

  const narrowed = Boolean(asked.store || asked.item || asked.method || asked.service);
  return (
    <Page
      fill
      title="Forecast accuracy"
      back={<BackLink to={pages.toolsServices.path} label="Services" />}
      aside={
        told &&
        `${day(told.from)} to ${day(told.to)}, ${plural(told.runs, 'run')} compared with what was sold`
      }
    >
      <Toolbar
        left={
          <>
            <DateRange
              value={{ from: asked.from || told?.from || '', to: asked.to || told?.to || '' }}
              onChange={({ from, to }) => state.set({ from, to, row: null })}
            />
            <Segments<By>
              label="By"
              value={by}
              options={BY}
              onChange={(next) =>
                state.set({ by: next === 'series' ? null : next, row: null, sort: null })
              }
            />
            <Segments
              label="How far ahead"
              value={asked.horizon}
              options={HORIZONS}
              onChange={(next) => state.set({ horizon: next === 'all' ? null : next })}
            />
            <Narrow state={state} asked={asked} />
          </>
        }
        right={null}
      />
      <div className={classes.split} data-beside={beside || undefined}>
        <div className={classes.table}>
          <DataTable<Row>
            bare
            plain
            id={`forecast-accuracy-${by}${beside ? '-beside' : ''}`}
            title="Forecast accuracy"
            one="forecast"
            many="forecasts"
            icon={IconTargetArrow}
            source={source}
            columns={columns}
            rowId={rowKey}
            rowLabel={({ store, item, method }) =>
              [item, store, method && methodLabel(method)].filter(Boolean).join(', ')
            }
            state={state}
            onOpen={openRow}
            current={(row) => by === 'series' && rowKey(row) === state.get('row')}
            narrowed={narrowed}
            onClear={() => state.set({ store: null, item: null, method: null, service: null })}
            empty={{
              title: 'Nothing to compare yet',
              text:
                told?.runs === 0
                  ? 'No forecast was made for these days. Choose other days, or run a forecast and come back once its days are over.'
                  : 'The sales of the days that were forecast are not imported yet.',
              action: (
                <Button component={Link} to={pages.toolsServices.path} variant="default">
                  Open services
                </Button>
              ),
            }}
          />
        </div>
        {beside && view}
      </div>
      {!wide && (
        <DrawerFrame opened={open !== null} title={name || 'Forecast'} size={760} onClose={close}>
          {view}
        </DrawerFrame>
      )}
    </Page>
  );
}

type NarrowProps = {
  state: ReturnType<typeof useTableState>;
  asked: ReturnType<typeof readAccuracy>;
};

/** Filters by one store, item, method or service. */
function Narrow({ state, asked }: NarrowProps) {
  const { stores } = useMyStores();
  const items = useNames('root-items').data ?? [];
  const cards = useServices().data?.items ?? [];
  const services = cards.filter(({ service }) => /average|forecast/.test(service));
  const methods = useQuery({
    queryKey: [...FORECAST, 'accuracy', 'methods', asked.from, asked.to],
    queryFn: ({ signal }) =>
      fetchAccuracy(
        { by: 'method', from: asked.from, to: asked.to, limit: 100, offset: 0 },
        signal,
      ),
  });
  const known = (methods.data?.items ?? []).flatMap(({ method }) => method ?? []);
  const choice = (
    name: string,
    label: string,
    all: string,
    data: readonly { value: string; label: string }[],
  ) => (
    <Select
      aria-label={label}
      placeholder={all}
      size="xs"
      data={[...data]}
      value={state.get(name) || null}
      onChange={(value) => state.set({ [name]: value, row: null })}
      searchable
      clearable
      clearButtonProps={{ 'aria-label': all }}
      limit={200}
      className={classes.narrow}
    />
  );
  return (
    <>
      {choice(
        'store',
        'Store',
        'All stores',
        stores.map(({ id, name }) => ({ value: id, label: name })),
      )}
      {choice(
        'item',
        'Item',
        'All items',
        items.map(({ id, name }) => ({ value: id, label: name })),
      )}
      {choice(
        'method',
        'Method',
        'All methods',
        [...new Set([...known, ...(asked.method ? [asked.method] : [])])].map((method) => ({
          value: method,
          label: methodLabel(method),
        })),
      )}
      {choice(
        'service',
        'Service',
        'All services',
        services.map(({ service, title }) => ({ value: service, label: title })),
      )}
    </>
  );
}
