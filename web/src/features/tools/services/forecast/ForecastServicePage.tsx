import { Button, Select } from '@mantine/core';
import { IconChartLine, IconHistory, IconTargetArrow } from '@tabler/icons-react';
import { useMemo } from 'react';
import { Link } from 'react-router';
import { useNameOf } from '#/api/names';
import { pages, to } from '#/paths';
import { DataTable } from '#/table/DataTable';
import { type Answer, clientSource, useServerSource } from '#/table/sources';
import type { Source } from '#/table/types';
import { type TableState, useTableState, writeSort } from '#/table/useTableState';
import { BackLink } from '#/ui/BackLink';
import { DrawerFrame } from '#/ui/DrawerFrame';
import { moment } from '#/ui/format';
import { Page } from '#/ui/Page';
import { useMyStores } from '#/ui/StoreChoice';
import { useWide } from '#/ui/usePhone';
import { isOpen, type Run, useRun, useRuns, useServices } from '../api';
import { type Figure, FORECAST, fetchFigures, figuresHref } from '../forecastApi';
import { HistoryDrawer } from '../HistoryDrawer';
import { AskPanel } from './AskPanel';
import { columnsOf, type Row, rowId } from './columns';
import type { ForecastDef } from './define';
import classes from './Forecast.module.css';
import { RunLine } from './RunLine';
import { SeriesView } from './SeriesView';

/** How many of the newest runs are offered. */
const OFFERED = 30;

/** A forecast service's page: parameters, a run's figures, and one series' chart. */
export function ForecastServicePage({ def }: { def: ForecastDef }) {
  const state = useTableState();
  const cards = useServices();
  const runs = useRuns(def.service, OFFERED);
  const asked = state.get('run');
  const old = useRun(def.service, asked);
  const card = cards.data?.items.find(({ service }) => service === def.service);
  const all = runs.data?.items ?? [];
  const finished = all.filter(({ state: is }) => is === 'done');
  const chosen = asked ? (all.find(({ id }) => id === asked) ?? old.data) : undefined;
  const run = chosen ?? finished[0];

  return (
    <Page
      fill
      title={def.title}
      back={<BackLink to={pages.toolsServices.path} label="Services" />}
      aside={def.how}
      actions={
        <>
          <Button
            variant="default"
            component={Link}
            to={to('toolsForecastAccuracy', null, { service: def.service })}
            leftSection={<IconTargetArrow size={16} stroke={1.7} aria-hidden />}
          >
            Accuracy
          </Button>
          <Button
            variant="default"
            disabled={all.length === 0}
            leftSection={<IconHistory size={16} stroke={1.7} aria-hidden />}
            onClick={() => state.set({ history: '1' }, true)}
          >
            History
          </Button>
        </>
      }
    >
      <AskPanel def={def} card={card} open={all.find(isOpen)} state={state} />
      <Figures
        def={def}
        run={run}
        offered={run && !finished.some(({ id }) => id === run.id) ? [run, ...finished] : finished}
        state={state}
        waiting={
          run
            ? null
            : clientSource<Row>({
                data: runs.data ? [] : undefined,
                isPending: runs.isPending,
                error: runs.error,
                refetch: runs.refetch,
              })
        }
        running={all.some(isOpen)}
      />
      <HistoryDrawer
        card={state.get('history') ? card : undefined}
        onClose={() => state.set({ history: null })}
      />
    </Page>
  );
}

interface FiguresProps {
  def: ForecastDef;
  run: Run | undefined;
  offered: readonly Run[];
  state: TableState;
  /** The table's source before the first run. */
  waiting: Source<Row> | null;
  running: boolean;
}

/** A run's figures; on wide screens with one chart beside them. */
function Figures({ def, run, offered, state, waiting, running }: FiguresProps) {
  const stores = useNameOf('stores');
  const items = useNameOf('root-items');
  const mine = useMyStores();
  const wide = useWide();
  const runId = run?.id ?? '';
  const storeId = state.get('store');
  const sort = writeSort(state.sort) ?? '';
  const query = { storeId, q: state.q, sort };
  const found = useServerSource<Figure>(
    [...FORECAST, 'figures', def.service, runId, storeId, state.q, sort],
    async (page, pageSize, signal): Promise<Answer<Figure>> =>
      runId
        ? fetchFigures(
            def.service,
            runId,
            { ...query, limit: pageSize, offset: (page - 1) * pageSize },
            signal,
          )
        : { items: [], total: 0 },
  );
  const source = useMemo<Source<Row>>(
    () =>
      waiting ?? {
        ...found,
        rows: found.rows.map(
          (one) =>
            one && {
              ...one,
              id: rowId(one),
              store: stores.get(one.storeId)?.name ?? '',
              item: items.get(one.rootItemId)?.name ?? '',
            },
        ),
      },
    [waiting, found, stores, items],
  );

  const [rowStore = '', rowItem = ''] = state.get('row').split('/');
  const open = rowStore && rowItem && runId ? { storeId: rowStore, rootItemId: rowItem } : null;
  const beside = Boolean(open) && wide;
  const horizon = run?.asked.horizon ?? (run ? def.horizon : null);
  const columns = useMemo(() => columnsOf(horizon, beside), [horizon, beside]);
  const close = () => state.set({ row: null });
  const name = open
    ? [items.get(open.rootItemId)?.name, stores.get(open.storeId)?.name].filter(Boolean).join(', ')
    : '';
  const view = open && (
    <SeriesView
      key={`${runId} ${rowStore} ${rowItem}`}
      def={def}
      runId={runId}
      at={open}
      name={name}
      state={state}
      onClose={beside ? close : undefined}
    />
  );

  return (
    <>
      {run && (
        <RunLine
          run={run}
          onFailed={() => state.set({ history: '1' }, true)}
          choice={
            offered.length > 1 && (
              <Select
                aria-label="Run"
                size="xs"
                data={offered.map(({ id, createdAt }) => ({ value: id, label: moment(createdAt) }))}
                value={run.id}
                onChange={(id) => state.set({ run: id === offered[0]?.id ? null : id })}
                allowDeselect={false}
                className={classes.runs}
              />
            )
          }
        />
      )}
      <div className={classes.split} data-beside={beside || undefined}>
        <div className={classes.table}>
          <DataTable<Row>
            bare
            id={`forecast${beside ? '-beside' : ''}`}
            title={`${def.title}, figures`}
            one="figure"
            many="figures"
            placeholder="Find an item or store"
            icon={IconChartLine}
            source={source}
            columns={columns}
            rowId={rowId}
            rowLabel={({ item, store }) => `${item}, ${store}`}
            state={state}
            onOpen={(row) => state.set({ row: rowId(row) }, !open)}
            current={(row) => rowId(row) === state.get('row')}
            faded={({ method }) => method === ''}
            narrowed={storeId !== ''}
            onClear={() => state.set({ q: null, store: null })}
            filters={
              <Select
                aria-label="Show one store"
                placeholder="All stores"
                size="xs"
                data={mine.stores.map(({ id, name: label }) => ({ value: id, label }))}
                value={storeId || null}
                onChange={(id) => state.set({ store: id })}
                searchable
                clearable
                clearButtonProps={{ 'aria-label': 'Show all stores' }}
                className={classes.store}
              />
            }
            exportHref={runId ? figuresHref(def.service, runId, query) : undefined}
            empty={{
              title: run
                ? 'Nothing was forecast'
                : running
                  ? 'The first run is under way'
                  : 'Never run yet',
              text: run
                ? (def.nothing ??
                  'No chosen item has sales in the chosen stores and days. Choose others and run it again.')
                : running
                  ? 'Its figures show here as soon as it is done.'
                  : 'Choose stores, items and how far ahead, then «Run now».',
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
    </>
  );
}
