import { Select } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useRef } from 'react';
import { FilterBox, Toolbar } from '#/table/Toolbar';
import { useTableState } from '#/table/useTableState';
import { DateRange } from '#/ui/DateRange';
import { addDays, isDay, today } from '#/ui/dates';
import { Segments } from '#/ui/Segments';
import { usersApi } from '../api';
import { Frame } from '../Frame';
import { Feed } from '../parts/Feed';
import classes from './ActivityTab.module.css';

const KINDS = [
  { value: 'people', label: 'Changes' },
  { value: 'signIn', label: 'Sign-ins' },
] as const;

/** Who changed whom, and who came and went. */
export function ActivityTab() {
  const state = useTableState();
  const box = useRef<HTMLInputElement>(null);
  const kind = state.get('kind') === 'signIn' ? 'signIn' : 'people';
  const uid = state.get('person');
  const now = today();
  const given = { from: state.get('from'), to: state.get('to') };
  const dated = isDay(given.from) && isDay(given.to);
  const range = dated ? given : { from: addDays(now, -29), to: now };
  const page = Math.max(1, Number.parseInt(state.get('page'), 10) || 1);
  const set = (values: Record<string, string | null>) => state.set({ page: null, ...values });

  return (
    <Frame tab="activity">
      <Toolbar
        left={
          <>
            <Segments
              label="Kind"
              value={kind}
              options={KINDS}
              onChange={(value) => set({ kind: value === 'people' ? null : value })}
            />
            <FilterBox
              box={box}
              value={state.q}
              wait={200}
              placeholder="Filter activity"
              onChange={(q) => set({ q })}
            />
            <PersonFilter value={uid} onChange={(person) => set({ person })} />
            <DateRange value={range} onChange={({ from, to }) => set({ from, to })} />
          </>
        }
        right={null}
      />
      <div className={classes.frame}>
        <Feed
          query={{
            kind,
            uid: uid || undefined,
            q: state.q || undefined,
            from: range.from,
            to: range.to,
          }}
          page={page}
          onPage={(next) => state.set({ page: next === 1 ? null : String(next) }, true)}
          narrowed={Boolean(uid || state.q || dated)}
          onClear={() => set({ person: null, q: null, from: null, to: null })}
        />
      </div>
    </Frame>
  );
}

interface PersonFilterProps {
  value: string;
  onChange(value: string | null): void;
}

function PersonFilter({ value, onChange }: PersonFilterProps) {
  const { data: people = [] } = useQuery({
    queryKey: ['people', 'users', 'names'],
    queryFn: async ({ signal }) =>
      (await usersApi.page({ sort: 'name', pageSize: 1000 }, signal)).items,
    staleTime: 5 * 60_000,
  });
  return (
    <Select
      size="xs"
      className={classes.filter}
      aria-label="Person"
      placeholder="Everybody"
      data={people.flatMap(({ uid, name, email }) =>
        uid ? [{ value: uid, label: name || email }] : [],
      )}
      value={value || null}
      searchable
      openOnFocus={false}
      limit={100}
      clearable
      clearButtonProps={{ 'aria-label': 'Everybody' }}
      nothingFoundMessage="Nothing matches"
      onChange={onChange}
    />
  );
}
