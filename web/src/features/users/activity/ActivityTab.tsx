import { useRef } from 'react';
import { FilterBox, Toolbar } from '#/table/Toolbar';
import { useTableState } from '#/table/useTableState';
import { DateRange } from '#/ui/DateRange';
import { addDays, isDay, today } from '#/ui/dates';
import { Segments } from '#/ui/Segments';
import { ActivityFeed } from '../parts/ActivityFeed';
import { UsersFrame } from '../UsersFrame';
import classes from './ActivityTab.module.css';
import { PersonFilter } from './PersonFilter';
import { RecordsTab } from './RecordsTab';

const KINDS = [
  { value: 'people', label: 'People' },
  { value: 'signIn', label: 'Sign-ins' },
  { value: 'records', label: 'Records' },
] as const;

/** The log: changes of users and roles, sign-ins, and changes of records. */
export function ActivityTab() {
  const state = useTableState();
  const box = useRef<HTMLInputElement>(null);
  const kind = KINDS.find(({ value }) => value === state.get('kind'))?.value ?? 'people';
  const uid = state.get('person');
  const now = today();
  const given = { from: state.get('from'), to: state.get('to') };
  const dated = isDay(given.from) && isDay(given.to);
  const range = dated ? given : { from: addDays(now, -29), to: now };
  const page = Math.max(1, Number.parseInt(state.get('page'), 10) || 1);
  const onPage = (next: number) => state.set({ page: next === 1 ? null : String(next) }, true);
  const set = (values: Record<string, string | null>) => state.set({ page: null, ...values });
  const segments = (
    <Segments
      label="Kind"
      value={kind}
      options={KINDS}
      onChange={(value) => set({ kind: value === 'people' ? null : value })}
    />
  );

  if (kind === 'records') {
    return (
      <UsersFrame tab="activity">
        <RecordsTab
          state={state}
          segments={segments}
          range={range}
          dated={dated}
          page={page}
          onPage={onPage}
        />
      </UsersFrame>
    );
  }
  return (
    <UsersFrame tab="activity">
      <Toolbar
        left={
          <>
            {segments}
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
        <ActivityFeed
          query={{
            kind,
            uid: uid || undefined,
            q: state.q || undefined,
            from: range.from,
            to: range.to,
          }}
          page={page}
          onPage={onPage}
          narrowed={Boolean(uid || state.q || dated)}
          onClear={() => set({ person: null, q: null, from: null, to: null })}
        />
      </div>
    </UsersFrame>
  );
}
