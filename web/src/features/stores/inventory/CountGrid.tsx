import { Button } from '@mantine/core';
import { IconClipboardOff, IconPlugConnectedX } from '@tabler/icons-react';
import { type ReactNode, useMemo } from 'react';
import { Problem } from '#/api/problem';
import type { TableState } from '#/table/useTableState';
import { DateRange } from '#/ui/DateRange';
import { addDays, isDay, today } from '#/ui/dates';
import { EmptyState } from '#/ui/EmptyState';
import { day, qty, shortDay } from '#/ui/format';
import { Page } from '#/ui/Page';
import { type CountCell, type CountGrid as Grid, useGrid } from './api';
import classes from './CountGrid.module.css';

interface Props {
  storeId: string;
  /** The store's name. */
  place: string | undefined;
  state: TableState;
  store: ReactNode;
  views: ReactNode;
  actions: ReactNode;
}

const DAYS = 14;
const SESSIONS: Readonly<Record<string, string>> = { opening: 'o', closing: 'c' };

/** Counts by item and day, with missing days marked. */
export function CountGrid({ storeId, place, state, store, views, actions }: Props) {
  const now = today();
  const [from, until] = [state.get('from'), state.get('to')];
  const range =
    isDay(from) && isDay(until) ? { from, to: until } : { from: addDays(now, 1 - DAYS), to: now };
  const query = useGrid(storeId, range.from, range.to);
  const grid = query.data;
  return (
    <Page
      fill
      title="Store inventory"
      place={place}
      aside={`counts by day, ${day(range.from)} to ${day(range.to)}`}
      actions={actions}
    >
      <div className={classes.tools}>
        {store}
        {views}
        <DateRange
          value={range}
          known={null}
          onChange={(next) => state.set({ from: next.from, to: next.to })}
        />
      </div>
      {query.error && !grid ? (
        <EmptyState
          icon={IconPlugConnectedX}
          role="alert"
          title="The counts could not be loaded"
          text={Problem.of(query.error).message}
          action={
            <Button variant="default" onClick={() => void query.refetch()}>
              Try again
            </Button>
          }
        />
      ) : grid?.items.every(({ counts }) => counts.length === 0) ? (
        <EmptyState
          icon={IconClipboardOff}
          title="Nothing was counted in these days"
          text="Choose other days, or another store."
        />
      ) : (
        grid && <Table grid={grid} />
      )}
    </Page>
  );
}

function Table({ grid }: { grid: Grid }) {
  const done = useMemo(() => {
    const days = new Map<string, number>();
    for (const { counts } of grid.items) {
      for (const date of new Set(counts.map(({ date }) => date))) {
        days.set(date, (days.get(date) ?? 0) + 1);
      }
    }
    return days;
  }, [grid]);
  return (
    <section className={classes.frame} tabIndex={0} aria-label="Counts by day">
      <table className={classes.table}>
        <thead>
          <tr>
            <th scope="col">Item</th>
            {grid.days.map((date) => (
              <th key={date} scope="col" data-gap={!done.get(date) || undefined} title={day(date)}>
                {shortDay(date)}
                <small>{done.get(date) ? `${done.get(date)} items` : 'no count'}</small>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {grid.items.map((item) => (
            <Row key={item.id} item={item} days={grid.days} done={done} />
          ))}
        </tbody>
      </table>
    </section>
  );
}

function Row({
  item,
  days,
  done,
}: {
  item: Grid['items'][number];
  days: readonly string[];
  done: ReadonlyMap<string, number>;
}) {
  const by = new Map<string, CountCell[]>();
  for (const cell of item.counts) by.set(cell.date, [...(by.get(cell.date) ?? []), cell]);
  return (
    <tr>
      <th scope="row">
        {item.name} <small>{item.uomCode}</small>
      </th>
      {days.map((date) => {
        const cells = by.get(date);
        // The item has a gap when others were counted that day.
        return (
          <td key={date} data-gap={(!cells && done.has(date)) || undefined}>
            {cells?.map((cell) => (
              <span key={cell.session ?? ''}>
                {qty(cell.qty)}
                {cell.session && <abbr title={cell.session}>{SESSIONS[cell.session]}</abbr>}
              </span>
            ))}
          </td>
        );
      })}
    </tr>
  );
}
