import { Button, Skeleton } from '@mantine/core';
import {
  IconAlertTriangle,
  IconBuildingStore,
  IconCalendarOff,
  IconCircleCheck,
  IconFileImport,
} from '@tabler/icons-react';
import { useMemo } from 'react';
import { Link } from 'react-router';
import { useNameOf } from '#/api/names';
import { Problem } from '#/api/problem';
import { pages } from '#/paths';
import { type TableState, useTableState } from '#/table/useTableState';
import { BackLink } from '#/ui/BackLink';
import { addDays, addMonths, firstOfMonth, isDay, today } from '#/ui/dates';
import { EmptyState } from '#/ui/EmptyState';
import { count, plural } from '#/ui/format';
import { Page, Tile, Tiles } from '#/ui/Page';
import { Segments } from '#/ui/Segments';
import { StoreFilter } from '#/ui/StoreFilter';
import { usePhone } from '#/ui/usePhone';
import { type Coverage, useCoverage } from '../forecastApi';
import { monthLabel } from '../MonthName';
import { MonthSteps } from '../MonthSteps';
import classes from './Coverage.module.css';
import {
  coverageLabel,
  hasGaps,
  percentLabel,
  STATE_ORDER,
  STATES,
  tally,
  worstFirst,
} from './coverage';
import { DayGrid } from './DayGrid';
import { StoreList } from './StoreList';

/** Imported sales by store and day, one month at a time; missing days link to the import. */
export default function DailySalesCoveragePage() {
  const state = useTableState();
  const now = today();
  const asked = `${state.get('month')}-01`;
  // On the first of a month no day is over yet.
  const month = firstOfMonth(isDay(asked) ? asked : addDays(now, -1));
  const last = addDays(addMonths(month, 1), -1);
  const until = last < now ? last : addDays(now, -1);
  const over = until >= month;
  const query = useCoverage(month, until, over);
  const move = (months: number) => state.set({ month: addMonths(month, months).slice(0, 7) });

  return (
    <Page
      fill
      title="Daily sales coverage"
      back={<BackLink to={pages.toolsServices.path} label="Services" />}
      aside={over && query.data ? coverageLabel(query.data) : undefined}
      actions={
        <Button
          component={Link}
          to={pages.toolsImportSales.path}
          variant="default"
          leftSection={<IconFileImport size={16} stroke={1.7} aria-hidden />}
        >
          Import sales
        </Button>
      }
    >
      <div className={`${classes.tools} no-print`}>
        <MonthSteps month={month} end={addMonths(month, 1) >= now} onMove={move} />
        <Segments
          label="Which"
          value={state.get('only') === 'gaps' ? 'gaps' : ''}
          options={[
            { value: '', label: 'All stores' },
            { value: 'gaps', label: 'With gaps' },
          ]}
          onChange={(next) => state.set({ only: next || null })}
        />
        <StoreFilter
          value={state.get('stores').split(',').filter(Boolean)}
          onChange={(ids) => state.set({ stores: ids.join(',') || null })}
        />
        <ul className={classes.legend} aria-label="Legend">
          {STATE_ORDER.map((one) => (
            <li key={one}>
              <i data-state={one} aria-hidden="true">
                {STATES[one].sign}
              </i>
              {STATES[one].label}
            </li>
          ))}
        </ul>
      </div>
      {!over ? (
        <EmptyState
          icon={IconCalendarOff}
          title="No day of this month is over"
          text="Coverage is shown for past days."
          action={
            <Button variant="default" onClick={() => state.set({ month: null })}>
              This month
            </Button>
          }
        />
      ) : query.error && !query.data ? (
        <EmptyState
          icon={IconAlertTriangle}
          role="alert"
          title="The coverage could not be loaded"
          text={Problem.of(query.error).message}
          action={
            <Button variant="default" onClick={() => void query.refetch()}>
              Try again
            </Button>
          }
        />
      ) : !query.data ? (
        <Skeleton className={classes.waiting} radius="md" />
      ) : (
        <Days coverage={query.data} state={state} month={month} stale={query.isPlaceholderData} />
      )}
    </Page>
  );
}

interface DaysProps {
  coverage: Coverage;
  state: TableState;
  month: string;
  stale: boolean;
}

function Days({ coverage, state, month, stale }: DaysProps) {
  const names = useNameOf('stores');
  const phone = usePhone();
  const chosen = state.get('stores');
  const onlyGaps = state.get('only') === 'gaps';
  const stores = useMemo(() => {
    const ids = chosen.split(',').filter(Boolean);
    const shown = coverage.stores.filter(
      (store) => (ids.length === 0 || ids.includes(store.storeId)) && (!onlyGaps || hasGaps(store)),
    );
    return worstFirst(shown, (id) => names.get(id)?.name ?? id);
  }, [coverage, chosen, onlyGaps, names]);
  const nameOf = (id: string) => names.get(id)?.name ?? '';
  const found = tally(coverage.stores);
  const whole = coverage.stores.filter((store) => !hasGaps(store)).length;

  if (coverage.stores.length === 0) {
    return (
      <EmptyState
        icon={IconBuildingStore}
        title="No stores yet"
        text="Add a store, then import its sales."
        action={
          <Button component={Link} to={pages.storesLocations.path} variant="default">
            Open locations
          </Button>
        }
      />
    );
  }
  return (
    <>
      <Tiles>
        <Tile
          name="Complete"
          value={percentLabel(coverage.percent)}
          note={plural(found.complete, 'store day')}
        />
        <Tile name="Missing" value={count(found.missing)} note="store days" />
        <Tile name="Partial" value={count(found.partial)} note="store days" />
        <Tile
          name="Stores without gaps"
          value={`${count(whole)} of ${count(coverage.stores.length)}`}
          note={monthLabel(month)}
        />
      </Tiles>
      {stores.length === 0 ? (
        <EmptyState
          icon={IconCircleCheck}
          title={
            !onlyGaps
              ? 'No store matches'
              : coverage.percent == null
                ? 'Nothing was expected'
                : 'No gaps'
          }
          text={
            !onlyGaps
              ? 'The chosen stores are not open or out of reach.'
              : coverage.percent == null
                ? 'No store was expected to trade on these days.'
                : 'Every expected day of the chosen stores is complete.'
          }
          action={
            <Button variant="default" onClick={() => state.set({ only: null, stores: null })}>
              Show all stores
            </Button>
          }
        />
      ) : phone ? (
        <StoreList stores={stores} dates={coverage.dates} nameOf={nameOf} />
      ) : (
        <DayGrid stores={stores} dates={coverage.dates} nameOf={nameOf} stale={stale} />
      )}
    </>
  );
}
