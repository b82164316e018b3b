import { Skeleton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { Link } from 'react-router';
import { Problem } from '#/api/problem';
import { useKnownRange } from '#/api/sales';
import { to } from '#/paths';
import { useTableState } from '#/table/useTableState';
import { DateRange } from '#/ui/DateRange';
import { addDays, isDay, type Range, today } from '#/ui/dates';
import { day, money, plural, shortDay } from '#/ui/format';
import { Panel } from '#/ui/Page';
import { StoreFilter } from '#/ui/StoreFilter';
import { salesApi } from './api';
import classes from './Coverage.module.css';
import type { CoverageCell, Coverage as Data } from './types';

const LETTERS = ['S', 'M', 'T', 'W', 'T', 'F', 'S'];
const WORDS = { none: 'no sales', partial: 'some items not mapped', posted: 'posted' } as const;

/** Stores by days: imported and missing sales. */
export function Coverage() {
  const state = useTableState();
  const known = useKnownRange();
  const from = state.get('from');
  const until = state.get('to');
  const range = useMemo<Range>(() => {
    if (isDay(from) && isDay(until) && from <= until) return { from, to: until };
    const now = today();
    // Old data is shown from its end, not from today's gap.
    const end = known.range && known.range.to < now ? known.range.to : now;
    return { from: addDays(end, -27), to: end };
  }, [from, until, known.range]);
  const stores = state.get('storeIds').split(',').filter(Boolean);

  const { data, error, refetch } = useQuery({
    queryKey: ['import-sales', 'coverage', range, stores],
    queryFn: ({ signal }) => salesApi.coverage({ ...range, storeIds: stores }, signal),
    enabled: !known.pending,
    placeholderData: (before) => before,
  });

  return (
    <Panel
      title="What is imported"
      aside={
        <div className={classes.filters}>
          <DateRange
            value={range}
            known={known.range}
            onChange={(next) => state.set({ from: next.from, to: next.to })}
          />
          <StoreFilter
            value={stores}
            onChange={(ids) => state.set({ storeIds: ids.join(',') || null })}
          />
        </div>
      }
    >
      {error && !data ? (
        <p className={classes.none} role="alert">
          {Problem.of(error).message}{' '}
          <button type="button" onClick={() => void refetch()}>
            Try again
          </button>
        </p>
      ) : !data ? (
        <Skeleton height={260} />
      ) : data.stores.length === 0 ? (
        <p className={classes.none}>
          No stores yet. A file's stores can be made while it is imported.
        </p>
      ) : (
        <Calendar data={data} />
      )}
    </Panel>
  );
}

function Calendar({ data }: { data: Data }) {
  return (
    <>
      <div className={classes.scroll} tabIndex={0} role="region" aria-label="Imported store days">
        <table className={classes.table}>
          <thead>
            <tr>
              <th scope="col">Store</th>
              {data.days.map((date, i) => {
                const weekday = new Date(`${date}T00:00:00Z`).getUTCDay();
                const first = i === 0 || date.endsWith('-01');
                return (
                  <th key={date} scope="col" data-sunday={weekday === 0 || undefined}>
                    <span className={classes.month}>
                      {first ? shortDay(date).split(' ')[1] : '\u00a0'}
                    </span>
                    <span aria-hidden>{LETTERS[weekday]}</span>
                    <span className="num">{Number(date.slice(8))}</span>
                  </th>
                );
              })}
            </tr>
          </thead>
          <tbody>
            {data.stores.map(({ id, name, cells }) => (
              <tr key={id}>
                <th scope="row" title={name}>
                  {name}
                </th>
                {cells.map((cell) => (
                  <td key={cell.day}>
                    <Cell storeId={id} store={name} cell={cell} />
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <ul className={classes.legend}>
        {(['posted', 'partial', 'none'] as const).map((state) => (
          <li key={state}>
            <span className={classes.mark} data-state={state} aria-hidden />
            {WORDS[state].charAt(0).toUpperCase() + WORDS[state].slice(1)}
          </li>
        ))}
      </ul>
    </>
  );
}

function Cell({ storeId, store, cell }: { storeId: string; store: string; cell: CoverageCell }) {
  if (cell.state === 'none') {
    return (
      <span className={classes.cell} data-state="none">
        <span className="sr-only">{WORDS.none}</span>
      </span>
    );
  }
  const [year = '', month = '', date = ''] = cell.day.split('-');
  const words = `${store}, ${day(cell.day)}: ${WORDS[cell.state]}, ${plural(cell.lines, 'line')}, ${money(cell.net)}`;
  return (
    <Link
      to={to('toolsImportSalesDay', { storeId, year, month, day: date })}
      className={classes.cell}
      data-state={cell.state}
      aria-label={words}
      title={words}
    />
  );
}
