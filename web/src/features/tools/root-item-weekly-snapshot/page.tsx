import { ActionIcon, Button } from '@mantine/core';
import {
  IconCalendarStats,
  IconChevronLeft,
  IconChevronRight,
  IconLock,
  IconLockOpen,
  IconRefresh,
} from '@tabler/icons-react';
import { useState } from 'react';
import { Problem } from '#/api/problem';
import { useCan } from '#/api/session';
import { DataTable } from '#/table/DataTable';
import { clientSource } from '#/table/sources';
import type { Column } from '#/table/types';
import { useTableState } from '#/table/useTableState';
import { addDays, monday, today } from '#/ui/dates';
import { amount, count, DOT, moment, money, shortDay } from '#/ui/format';
import { Page } from '#/ui/Page';
import { StatusPill } from '#/ui/StatusPill';
import { done, lastingError } from '#/ui/toast';
import { freezeWeek, isOpen, makeWeek, makeWeeks, useLastRun, useWeeks, type Week } from './api';
import { stateOf } from './labels';
import { ReopenDialog } from './ReopenDialog';
import { RunBar } from './RunBar';
import classes from './Snapshots.module.css';
import { WeekDrawer } from './WeekDrawer';

/** The weeks of a year: made, frozen, or different from their frozen values. */
export default function WeeklySnapshotPage() {
  const state = useTableState();
  const may = useCan('tools/services', 'edit');
  const wished = Number(state.get('year')) || null;
  const query = useWeeks(wished);
  const { data: run } = useLastRun();
  const [reopening, setReopening] = useState<Week | null>(null);
  const free = !isOpen(run);
  const year = query.data?.year ?? wished;
  const weeks = query.data?.items;
  const opened = state.get('week');
  const lastWeek = addDays(monday(today()), -7);
  const last = weeks?.find(({ week }) => week === lastWeek);

  async function act(what: Promise<unknown>, said: string): Promise<void> {
    try {
      await what;
      done(said);
    } catch (error) {
      const problem = Problem.of(error);
      lastingError(problem.fields[0]?.message ?? problem.message);
    }
  }
  const make = (week: Week) => void act(makeWeek(week.week), `${week.label} is being made`);
  const freeze = (week: Week) => void act(freezeWeek(week.week), `${week.label} is frozen`);

  return (
    <Page
      fill
      title="Root item weekly snapshot"
      aside={weeks && said(weeks)}
      actions={
        may && (
          <Button
            disabled={!free}
            leftSection={<IconRefresh size={16} stroke={1.7} aria-hidden />}
            onClick={() => void act(makeWeek(lastWeek), 'Last week is being made')}
          >
            {last && last.state !== 'notMade' ? 'Make last week again' : 'Make last week'}
          </Button>
        )
      }
    >
      {run && <RunBar run={run} may={may} />}
      <DataTable<Week>
        bare
        id="weekly-snapshots"
        title="Root item weekly snapshot"
        one="week"
        many="weeks"
        icon={IconCalendarStats}
        source={clientSource({ ...query, data: weeks })}
        columns={columns}
        rowId={({ week }) => week}
        rowLabel={({ label }) => label}
        state={state}
        onOpen={({ week }) => state.set({ week }, true)}
        filters={
          year && <Year year={year} onChange={(next) => state.set({ year: String(next) })} />
        }
        rowActions={
          may
            ? [
                {
                  label: 'Make',
                  icon: IconRefresh,
                  shown: (week) => week.over && free,
                  run: make,
                },
                {
                  label: 'Freeze',
                  icon: IconLock,
                  shown: ({ state }) => state === 'open' && free,
                  run: freeze,
                },
                {
                  label: 'Open again',
                  icon: IconLockOpen,
                  shown: ({ state }) => state === 'frozen',
                  run: setReopening,
                },
              ]
            : []
        }
        bulkActions={
          may && free
            ? [
                {
                  label: 'Make from the first to the last of these',
                  run: (rows, clear) => {
                    const days = rows.map(({ week }) => week).sort();
                    const [from, to] = [days[0], days.at(-1)];
                    if (!from || !to) return;
                    clear();
                    void act(makeWeeks(from, addDays(to, 6)), 'Snapshots are being made');
                  },
                },
              ]
            : []
        }
        empty={{ title: 'No weeks yet', text: 'The first week of this year has not begun.' }}
      />
      <WeekDrawer
        week={weeks?.find(({ week }) => week === opened)}
        opened={opened !== ''}
        free={free}
        may={may}
        onMake={make}
        onFreeze={freeze}
        onReopen={setReopening}
        onClose={() => state.set({ week: null })}
      />
      {reopening && <ReopenDialog week={reopening} onClose={() => setReopening(null)} />}
    </Page>
  );
}

function said(weeks: readonly Week[]): string {
  const of = (is: (week: Week) => boolean) => count(weeks.filter(is).length);
  const differ = weeks.filter(({ state, differences }) => state === 'frozen' && differences > 0);
  const words = `${of(({ state }) => state !== 'notMade')} made · ${of(({ state }) => state === 'frozen')} frozen`;
  return differ.length > 0 ? `${words}${DOT}${count(differ.length)} differ` : words;
}

function Year({ year, onChange }: { year: number; onChange(year: number): void }) {
  const now = Number(today().slice(0, 4));
  return (
    <span className={classes.year}>
      <ActionIcon
        variant="subtle"
        color="gray"
        aria-label="Year before"
        onClick={() => onChange(year - 1)}
      >
        <IconChevronLeft size={17} aria-hidden />
      </ActionIcon>
      <strong>{year}</strong>
      <ActionIcon
        variant="subtle"
        color="gray"
        aria-label="Year after"
        disabled={year >= now}
        onClick={() => onChange(year + 1)}
      >
        <IconChevronRight size={17} aria-hidden />
      </ActionIcon>
    </span>
  );
}

const columns: readonly Column<Week>[] = [
  {
    id: 'week',
    label: 'Week',
    value: ({ label }) => label,
    cell: ({ label, week, to }) => (
      <>
        {label.slice(5)}{' '}
        <small>
          {shortDay(week)} – {shortDay(to)}
        </small>
      </>
    ),
    primary: true,
  },
  {
    id: 'state',
    label: 'State',
    value: (week) => stateOf(week).words,
    cell: (week) => <StatusPill tone={stateOf(week).tone}>{stateOf(week).words}</StatusPill>,
    width: 140,
    phone: 'end',
  },
  {
    id: 'varianceValue',
    label: 'Net variance (₱)',
    value: ({ state, varianceValue }) => (state === 'notMade' ? null : varianceValue),
    width: 140,
    cell: ({ state, varianceValue }) =>
      state === 'notMade' || varianceValue == null ? (
        <span className={classes.onDesk}>–</span>
      ) : (
        <>
          <span className={classes.onDesk}>{amount(varianceValue)}</span>
          <span className={classes.onPhone}>{money(varianceValue)} net variance</span>
        </>
      ),
    align: 'right',
    phone: 'sub',
  },
  {
    id: 'differences',
    label: 'Differences',
    value: ({ state, differences }) => (state === 'notMade' ? null : differences),
    number: count,
    width: 110,
    phone: 'none',
    title: 'Figures that are other than before, or than the frozen ones',
  },
  {
    id: 'stores',
    label: 'Stores',
    value: ({ state, stores }) => (state === 'notMade' ? null : stores),
    number: count,
    width: 84,
    phone: 'none',
  },
  {
    id: 'rows',
    label: 'Root items',
    value: ({ state, rows }) => (state === 'notMade' ? null : rows),
    number: count,
    width: 100,
    phone: 'none',
  },
  {
    id: 'madeAt',
    label: 'Made',
    value: ({ madeAt }) => madeAt,
    cell: ({ madeAt, madeBy }) =>
      madeAt && (
        <>
          {moment(madeAt)} <small>{madeBy}</small>
        </>
      ),
    width: 230,
    muted: true,
    phone: 'none',
  },
  {
    id: 'frozenAt',
    label: 'Frozen',
    value: ({ frozenAt }) => frozenAt,
    cell: ({ frozenAt, frozenBy }) =>
      frozenAt && (
        <>
          {moment(frozenAt)} <small>{frozenBy}</small>
        </>
      ),
    width: 230,
    muted: true,
    phone: 'none',
  },
];
