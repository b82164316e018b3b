import { IconCloudUpload } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { DataTable } from '#/table/DataTable';
import { clientSource } from '#/table/sources';
import type { BulkAction, Column } from '#/table/types';
import { type TableState, useTableState } from '#/table/useTableState';
import { DateRange } from '#/ui/DateRange';
import { addDays, isDay, today } from '#/ui/dates';
import { amount, count, day } from '#/ui/format';
import { Segments } from '#/ui/Segments';
import { StatusPill } from '#/ui/StatusPill';
import { StoreFilter } from '#/ui/StoreFilter';
import { type Asked, type Day, LAYOUTS, readLayout, STATES, useDays } from './api';
import classes from './Netsuite.module.css';

const COLUMNS: Column<Day>[] = [
  { id: 'storeName', label: 'Store', primary: true, width: 170, value: (row) => row.storeName },
  {
    id: 'date',
    label: 'Date',
    width: 104,
    phone: 'sub',
    value: (row) => row.date,
    cell: (row) => day(row.date),
  },
  {
    id: 'state',
    label: 'Status',
    width: 100,
    phone: 'sub',
    value: (row) => STATES[row.state]?.label ?? row.state,
    cell: ({ state }) => (
      <StatusPill tone={STATES[state]?.tone ?? 'neutral'}>
        {STATES[state]?.label ?? state}
      </StatusPill>
    ),
  },
  {
    id: 'externalId',
    label: 'External ID',
    width: 176,
    phone: 'none',
    value: (row) => row.externalId,
  },
  {
    id: 'total',
    label: 'Total',
    width: 110,
    phone: 'end',
    value: (row) => row.total,
    number: amount,
  },
  {
    id: 'rounding',
    label: 'Rounding',
    width: 88,
    phone: 'none',
    value: (row) => row.rounding,
    number: amount,
  },
  {
    id: 'says',
    label: 'What to do',
    phone: 'sub',
    sortable: false,
    value: saysOf,
    cell: (row) => {
      const words = wordsOf(row);
      return (
        words.length > 0 && (
          <span className={classes.says} title={words.join(' ')}>
            {inShort(words)}
          </span>
        )
      );
    },
  },
];

/** Characters that two lines of a row hold. */
const ROOM = 120;

/** As many of the sentences as a row holds, each of them whole. The record itself shows all. */
export function inShort(sentences: readonly string[]): string {
  const taken: string[] = [];
  for (const words of sentences) {
    if ([...taken, words].join(' ').length > ROOM) break;
    taken.push(words);
  }
  const left = sentences.length - taken.length;
  if (left === 0) return taken.join(' ');
  if (taken.length === 0) return 'Open it to read why.';
  return `${taken.join(' ')} ${count(left)} more.`;
}

/** Why a day is blocked, NetSuite's message, and warnings. */
export function saysOf(row: Day): string {
  return wordsOf(row).join(' ');
}

function wordsOf({ reasons, message, changed, odd, rounding }: Day): string[] {
  const words = [...reasons];
  if (message) words.push(message);
  if (changed) words.push('Its Z-reading changed since it went: export it once more.');
  if (odd) words.push(`The Z-reading does not add up by ${amount(rounding)}.`);
  return words;
}

/** The filters in the address. */
export function askedOf(state: TableState): Asked {
  const now = today();
  const [from, to] = [state.get('from'), state.get('to')];
  const range = isDay(from) && isDay(to) ? { from, to } : { from: addDays(now, -14), to: now };
  return {
    ...range,
    storeIds: state.get('stores') || undefined,
    layout: readLayout(state.get('layout')),
  };
}

interface Props {
  id: string;
  title: string;
  back?: ReactNode;
  /** Buttons; `counts` are the days by state, once they are known. */
  actions(asked: Asked, counts?: Readonly<Record<string, number>>): ReactNode;
  above?: ReactNode;
  bulk?: BulkAction<Day>[] | undefined;
  /** Whether something can be done with a row. */
  pickable?(row: Day): boolean;
  onOpen(row: Day): void;
}

/** Stores' days as records, filtered by layout, range, store and status. */
export function DayTable(props: Props) {
  const { id, title, back, actions, above, bulk, pickable, onOpen } = props;
  const state = useTableState();
  const asked = askedOf(state);
  const query = useDays(asked);
  const only = state.get('only');
  const rows = query.data?.items.filter((row) => !only || row.state === only);
  const counts = query.data?.counts;
  const stores = asked.storeIds?.split(',') ?? [];
  return (
    <DataTable<Day>
      id={id}
      title={title}
      back={back}
      one="day"
      many="days"
      icon={IconCloudUpload}
      source={clientSource({ ...query, data: rows })}
      columns={COLUMNS}
      rowId={({ storeId, date }) => `${storeId}_${date}`}
      rowLabel={({ storeName, date }) => `${storeName}, ${day(date)}`}
      state={state}
      placeholder="Find a store or an External ID"
      narrowed={Boolean(only || stores.length)}
      onClear={() => state.set({ q: null, only: null, stores: null })}
      actions={actions(asked, counts)}
      above={above}
      bulkActions={bulk ?? []}
      pickable={pickable}
      filters={
        <>
          <Segments
            label="Layout"
            value={asked.layout}
            options={LAYOUTS}
            onChange={(layout) => state.set({ layout })}
          />
          <DateRange
            value={{ from: asked.from, to: asked.to }}
            onChange={(range) => state.set({ ...range })}
          />
          <StoreFilter
            value={stores}
            onChange={(ids) => state.set({ stores: ids.join(',') || null })}
          />
          <Segments
            label="Status"
            value={only}
            options={[
              { value: '', label: 'All' },
              ...Object.entries(STATES).map(([value, { label }]) => ({
                value,
                label: counts?.[value] ? `${label} ${count(counts[value])}` : label,
              })),
            ]}
            onChange={(next) => state.set({ only: next || null })}
          />
        </>
      }
      onOpen={onOpen}
      empty={{
        title: 'No days here',
        text: 'A store’s day becomes a record once its Z-readings are verified. Choose other dates.',
      }}
    />
  );
}
