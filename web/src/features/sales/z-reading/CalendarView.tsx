import { IconCalendarOff } from '@tabler/icons-react';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { type ReactNode, useMemo, useState } from 'react';
import { Link, useNavigate } from 'react-router';
import { request } from '#/api/client';
import { Problem } from '#/api/problem';
import { useCan } from '#/api/session';
import { to } from '#/paths';
import { span as rangeWords } from '#/reports/question/weeks';
import type { TableState } from '#/table/useTableState';
import { DateRange } from '#/ui/DateRange';
import { addDays, daysBetween, isDay, today, toNumber } from '#/ui/dates';
import { EmptyState } from '#/ui/EmptyState';
import { ErrorBox } from '#/ui/ErrorBox';
import { DOT, day, money, plural, shortDay } from '#/ui/format';
import { Page } from '#/ui/Page';
import { PaperLine } from '#/ui/PaperLine';
import { Segments } from '#/ui/Segments';
import { StoreFilter } from '#/ui/StoreFilter';
import { useNewKey } from '#/ui/useNewKey';
import { type CalendarDay, KEY } from './api';
import { isOf, NARROWS, readingsOf } from './calendar';
import { DayDialog } from './DayDialog';
import classes from './ZReading.module.css';

/** A cell's sign and colour. */
const SIGNS: Readonly<Record<string, { sign: string; label: string }>> = {
  verified: { sign: '✓', label: 'Verified' },
  waiting: { sign: '…', label: 'To review' },
  missing: { sign: '!', label: 'Missing' },
  disputed: { sign: '✗', label: 'Disputed' },
  notDue: { sign: '·', label: 'Not over yet' },
  closed: { sign: '–', label: 'Closed' },
  none: { sign: '', label: 'Nothing expected' },
};
const MOST_DAYS = 62;

function words(cell: CalendarDay): string {
  const { date, verified, waiting, disputed, missing, net, sold, tills } = cell;
  const { settled, expected, reasons } = tills;
  const parts = [
    verified > 0 && `${verified} verified`,
    waiting > 0 && `${waiting} to review`,
    disputed > 0 && `${disputed} disputed`,
    missing > 0 && `${missing} missing`,
    net !== 0 && `net ${money(net)}`,
    sold != null && `imported ${money(sold)}`,
    expected > 1 && settled < expected && `${settled} of ${expected} tills complete`,
  ].filter(Boolean);
  const label = SIGNS[cell.state]?.label.toLowerCase() ?? '';
  return [`${day(date)}: ${parts.join(', ') || label}`, ...reasons].join('. ').replace('..', '.');
}

interface Props {
  nav: ReactNode;
  state: TableState;
}

/** Store × day: each cell opens its reading, the list of its readings, or its tills if one has none. */
export function CalendarView({ nav, state }: Props) {
  const last = addDays(today(), -1);
  const given = { from: state.get('from'), to: state.get('to') };
  const span =
    isDay(given.from) &&
    isDay(given.to) &&
    given.from <= given.to &&
    toNumber(given.to) - toNumber(given.from) < MOST_DAYS
      ? given
      : { from: addDays(last, -20), to: last };
  const stores = useMemo(() => state.get('stores').split(',').filter(Boolean), [state]);
  const only = state.get('only');
  const { data, error, isPending, refetch } = useQuery({
    queryKey: [...KEY, 'calendar', span, stores],
    queryFn: ({ signal }) =>
      request('GET', '/api/sales/z-reading/calendar', {
        query: { ...span, storeIds: stores.join(',') || undefined },
        signal,
      }),
    placeholderData: keepPreviousData,
  });
  const days = daysBetween(span.from, span.to);
  const shown = (data?.stores ?? []).filter(
    ({ days: row }) => !only || row.some((cell) => isOf(cell, only)),
  );
  const navigate = useNavigate();
  const mayCreate = useCan('sales/zReading', 'create');
  const onlyStore = stores.length === 1 ? stores[0] : undefined;
  useNewKey(
    mayCreate &&
      (() => void navigate(to('salesZReadingOne', { id: 'new' }, { storeId: onlyStore }))),
  );
  const [opened, setOpened] = useState<{ storeId: string; date: string } | null>(null);
  const store = data?.stores.find(({ storeId }) => storeId === opened?.storeId);
  const cell = store?.days.find(({ date }) => date === opened?.date);

  return (
    <Page title="Z-readings" fill>
      {nav}
      <PaperLine>
        {`${rangeWords({ from: days[0] ?? last, to: days.at(-1) ?? last })}${DOT}${stores.length > 0 ? plural(stores.length, 'store') : 'All stores'}`}
      </PaperLine>
      <div className={`${classes.filters} no-print`}>
        <Segments
          label="Days"
          value={only}
          options={[
            { value: '', label: 'All' },
            ...NARROWS.map((name) => ({
              value: name,
              label: `${SIGNS[name]?.label} ${readingsOf(data, name)}`,
            })),
          ]}
          onChange={(next) => state.set({ only: next || null })}
        />
        <StoreFilter
          value={stores}
          onChange={(ids) => state.set({ stores: ids.join(',') || null })}
        />
        <DateRange value={span} onChange={(range) => state.set({ ...range })} />
      </div>
      {error ? (
        <ErrorBox>
          {Problem.of(error).message}{' '}
          <button type="button" className={classes.link} onClick={() => void refetch()}>
            Try again
          </button>
        </ErrorBox>
      ) : !isPending && shown.length === 0 ? (
        <EmptyState
          icon={IconCalendarOff}
          title={only ? 'No such day' : 'No stores'}
          text={only ? 'No day in this range is like that.' : 'You have no store yet.'}
        />
      ) : (
        <div className={classes.calendarBox} role="region" aria-label="Store by day" tabIndex={0}>
          <table className={classes.calendar} aria-busy={isPending}>
            <thead>
              <tr>
                <th scope="col" className={classes.store}>
                  Store
                </th>
                {days.map((one) => (
                  <th key={one} scope="col" className="num">
                    <span>{shortDay(one).split(' ')[1]}</span>
                    {shortDay(one).split(' ')[0]}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {shown.map((store) => (
                <tr key={store.storeId}>
                  <th scope="row" className={classes.store}>
                    {store.storeName}
                  </th>
                  {store.days.map((cell) => (
                    <td key={cell.date}>
                      <Cell
                        cell={cell}
                        storeId={store.storeId}
                        storeName={store.storeName}
                        onOpen={() => setOpened({ storeId: store.storeId, date: cell.date })}
                      />
                    </td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
      {store && cell && (
        <DayDialog
          storeId={store.storeId}
          storeName={store.storeName}
          cell={cell}
          onClose={() => setOpened(null)}
        />
      )}
      <ul className={classes.legend}>
        {Object.entries(SIGNS).map(([name, { sign, label }]) => (
          <li key={name}>
            <span className={classes.cell} data-state={name} aria-hidden>
              {sign}
            </span>
            {label}
          </li>
        ))}
      </ul>
    </Page>
  );
}

interface CellProps {
  cell: CalendarDay;
  storeId: string;
  storeName: string;
  /** Shows the day's tills. */
  onOpen(): void;
}

function Cell({ cell, storeId, storeName, onOpen }: CellProps) {
  const { date, state, id, tills } = cell;
  const sign = SIGNS[state]?.sign ?? '';
  const title = `${storeName}, ${words(cell)}`;
  if (tills.tills.length === 0 && tills.complete) {
    return (
      <span className={classes.cell} data-state={state} title={title}>
        {sign}
      </span>
    );
  }
  const read = cell.verified + cell.waiting + cell.disputed > 0;
  // Tills without a reading of this day: each of them asks for something else.
  if (!read || cell.missing > 0 || tills.tills.some((till) => till.absence != null)) {
    return (
      <button
        type="button"
        className={classes.cell}
        data-state={state}
        title={title}
        aria-label={title}
        onClick={onOpen}
      >
        {sign}
      </button>
    );
  }
  const href = id
    ? to('salesZReadingOne', { id })
    : to('salesZReading', null, { storeId, from: date, to: date });
  return (
    <Link to={href} className={classes.cell} data-state={state} title={title} aria-label={title}>
      {sign}
    </Link>
  );
}
