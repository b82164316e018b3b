import { Select } from '@mantine/core';
import type { ReactNode } from 'react';
import { Toolbar } from '#/table/Toolbar';
import type { TableState } from '#/table/useTableState';
import { DateRange } from '#/ui/DateRange';
import type { Range } from '#/ui/dates';
import classes from './ActivityTab.module.css';
import { PersonFilter } from './PersonFilter';
import { RecordsFeed, useRecords } from './RecordsFeed';
import { ACTIONS } from './records';

interface Props {
  state: TableState;
  segments: ReactNode;
  range: Range;
  dated: boolean;
  page: number;
  onPage(page: number): void;
}

/** Changes of records with filters for kind, action, person and dates. */
export function RecordsTab({ state, segments, range, dated, page, onPage }: Props) {
  const set = (values: Record<string, string | null>) => state.set({ page: null, ...values });
  const [of, uid, action] = [state.get('of'), state.get('person'), state.get('action')];
  const query = {
    kind: of || undefined,
    uid: uid || undefined,
    action: action || undefined,
    from: range.from,
    to: range.to,
  };
  // The response lists the kinds the user may filter by.
  const { data } = useRecords(query, page);
  return (
    <>
      <Toolbar
        left={
          <>
            {segments}
            <Select
              size="xs"
              className={classes.filter}
              aria-label="Kind of record"
              placeholder="Every kind"
              data={(data?.kinds ?? []).map(({ kind, label }) => ({ value: kind, label }))}
              value={of || null}
              searchable
              openOnFocus={false}
              clearable
              clearButtonProps={{ 'aria-label': 'Every kind' }}
              nothingFoundMessage="Nothing matches"
              onChange={(value) => set({ of: value })}
            />
            <Select
              size="xs"
              className={classes.filter}
              aria-label="What was done"
              placeholder="Everything done"
              data={ACTIONS}
              value={action || null}
              clearable
              clearButtonProps={{ 'aria-label': 'Everything done' }}
              onChange={(value) => set({ action: value })}
            />
            <PersonFilter value={uid} onChange={(person) => set({ person })} />
            <DateRange value={range} onChange={({ from, to }) => set({ from, to })} />
          </>
        }
        right={null}
      />
      <div className={classes.frame}>
        <RecordsFeed
          query={query}
          page={page}
          onPage={onPage}
          narrowed={Boolean(of || uid || action || dated)}
          onClear={() => set({ of: null, person: null, action: null, from: null, to: null })}
        />
      </div>
    </>
  );
}
