import { Button } from '@mantine/core';
import { IconCalendarEvent, IconPlus, IconTrash } from '@tabler/icons-react';
import { useMemo } from 'react';
import { useNameOf } from '#/api/names';
import { useCan } from '#/api/session';
import { pages } from '#/paths';
import { DataTable } from '#/table/DataTable';
import { clientSource } from '#/table/sources';
import type { Column } from '#/table/types';
import { useTableState } from '#/table/useTableState';
import { BackLink } from '#/ui/BackLink';
import { addDays, addMonths, today } from '#/ui/dates';
import { MISSING, plural, shortDay } from '#/ui/format';
import { Page } from '#/ui/Page';
import { Segments } from '#/ui/Segments';
import { evidence, factorLabel, factorOf } from '../factors';
import { type ForecastEvent, useEvents } from '../forecastApi';
import { MonthSteps } from '../MonthSteps';
import { daysLabel, KINDS, kindWord, monthOf, monthText, weeksOf } from './calendar';
import { EventDrawer, removeEvent } from './EventDrawer';
import classes from './Events.module.css';
import { Learned } from './Learned';
import { Month } from './Month';

/** Special days: paydays, holidays, promotions and closures, with their learned effects. */
export default function ForecastEventsPage() {
  const state = useTableState();
  const stores = useNameOf('stores');
  const areas = useNameOf('operational-areas');
  const mayEdit = useCan('tools/services', 'edit');
  const now = today();
  const month = monthOf(state.get('month'), now);
  const weeks = useMemo(() => weeksOf(month), [month]);
  const from = weeks[0]?.[0] ?? month;
  const until = weeks.at(-1)?.[6] ?? addDays(addMonths(month, 1), -1);
  const query = useEvents(from, until);
  const kind = state.get('kind');
  const all = query.data?.items;
  const events = useMemo(
    () => all?.filter((event) => !kind || event.kind === kind) ?? [],
    [all, kind],
  );
  const columns = useMemo(
    () =>
      columnsOf(({ areaId, storeIds }) => {
        if (areaId) return areas.get(areaId)?.name ?? '';
        if (!storeIds) return 'All stores';
        return storeIds.length === 1
          ? (stores.get(storeIds[0] ?? '')?.name ?? '1 store')
          : plural(storeIds.length, 'store');
      }),
    [stores, areas],
  );
  const open = state.get('open');
  const record = all?.find(({ id }) => id === open) ?? null;
  const openNew = (on: string | null = null) => state.set({ open: 'new', on }, true);
  const move = (months: number) =>
    state.set({ month: monthText(addMonths(month, months)), open: null });

  return (
    <Page
      fill
      title="Events"
      back={<BackLink to={pages.toolsServices.path} label="Services" />}
      actions={
        mayEdit && (
          <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={() => openNew()}>
            New event
          </Button>
        )
      }
    >
      <div className={`${classes.tools} no-print`}>
        <MonthSteps month={month} onMove={move} />
        {monthText(month) !== monthText(now) && (
          <Button size="xs" variant="subtle" onClick={() => state.set({ month: null })}>
            This month
          </Button>
        )}
        <Segments
          label="Kind"
          value={kind in KINDS ? kind : ''}
          options={[
            { value: '', label: 'All' },
            { value: 'payday', label: 'Paydays' },
            { value: 'holiday', label: 'Holidays' },
            { value: 'promotion', label: 'Promotions' },
            { value: 'closure', label: 'Closures' },
          ]}
          onChange={(next) => state.set({ kind: next || null })}
        />
      </div>
      <div className={classes.layout}>
        <Month
          weeks={weeks}
          month={month}
          today={now}
          events={events}
          onOpen={(id) => state.set({ open: id }, true)}
          onNew={mayEdit ? openNew : undefined}
        />
        <div className={classes.list}>
          <Learned events={all ?? []} />
          <DataTable<ForecastEvent>
            bare
            plain
            id="forecast-events"
            title="Events"
            one="event"
            many="events"
            icon={IconCalendarEvent}
            source={clientSource({ ...query, data: all && events })}
            columns={columns}
            rowId={({ id }) => id}
            rowLabel={({ name, from: on }) => `${name}, ${shortDay(on)}`}
            state={state}
            onOpen={({ id }) => state.set({ open: id }, true)}
            onNew={mayEdit ? () => openNew() : undefined}
            narrowed={kind !== ''}
            onClear={() => state.set({ kind: null })}
            faded={({ to }) => to < now}
            rowActions={
              mayEdit
                ? [
                    {
                      label: 'Delete event',
                      icon: IconTrash,
                      danger: true,
                      shown: ({ builtIn }) => !builtIn,
                      run: (event) => void removeEvent(event),
                    },
                  ]
                : undefined
            }
            empty={{
              title: 'No events in this month',
              text: 'Paydays and Philippine holidays of 2024 to 2030 are here already; add promotions and closures.',
            }}
          />
        </div>
      </div>
      <EventDrawer
        opened={open === 'new' || record !== null}
        record={record}
        on={state.get('on') || (month > now ? month : now)}
        until={state.get('until') || undefined}
        name={state.get('name')}
        readOnly={!mayEdit}
        onClose={() => state.set({ open: null, on: null, until: null, name: null })}
      />
    </Page>
  );
}

function columnsOf(forWhom: (event: ForecastEvent) => string): Column<ForecastEvent>[] {
  return [
    {
      id: 'from',
      label: 'Days',
      width: 104,
      value: ({ from }) => from,
      cell: daysLabel,
      phone: 'sub',
    },
    {
      id: 'name',
      label: 'Event',
      primary: true,
      value: ({ name }) => name,
      cell: ({ name, estimated }) => (
        <>
          {name}
          {estimated && <span title="The day may still move"> (estimate)</span>}
        </>
      ),
    },
    {
      id: 'kind',
      label: 'Kind',
      width: 92,
      value: ({ kind }) => kindWord(kind),
      muted: true,
      hidden: true,
      phone: 'none',
    },
    { id: 'for', label: 'For', width: 118, value: forWhom, muted: true, phone: 'sub' },
    {
      id: 'factor',
      label: 'Sells',
      width: 100,
      value: factorOf,
      cell: (event) => {
        const factor = factorOf(event);
        return (
          <span title={event.factor == null ? evidence(event) : 'Set by hand'}>
            {factor === null ? MISSING : factorLabel(factor)}
            {event.factor != null && <span className="sr-only"> (set by hand)</span>}
          </span>
        );
      },
      align: 'right',
      phone: 'end',
    },
  ];
}
