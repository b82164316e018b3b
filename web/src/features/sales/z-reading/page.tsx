import { useMemo } from 'react';
import { to } from '#/paths';
import { useTableState } from '#/table/useTableState';
import { PageTabs } from '#/ui/PageTabs';
import { CalendarView } from './CalendarView';
import { ChainView } from './ChainView';
import { ListView } from './ListView';
import { TillsView } from './TillsView';

const VIEWS = [
  { value: '', label: 'List' },
  { value: 'calendar', label: 'Calendar' },
  { value: 'chain', label: 'Counters' },
  { value: 'tills', label: 'Tills' },
] as const;

/** Z-readings: as a list, as store × day, as a till's counter chain; and the tills' settings. */
export default function ZReadingsPage() {
  const state = useTableState();
  const view = VIEWS.find(({ value }) => value === state.get('view'))?.value ?? '';
  const storeId = state.get('storeId');
  const tabs = useMemo(
    () =>
      VIEWS.map(({ value, label }) => ({
        value,
        label,
        to: to('salesZReading', null, { view: value, storeId }),
      })),
    [storeId],
  );
  const nav = <PageTabs label="Views of Z-readings" tabs={tabs} current={view} />;
  if (view === 'calendar') return <CalendarView nav={nav} state={state} />;
  if (view === 'chain') return <ChainView nav={nav} state={state} />;
  if (view === 'tills') return <TillsView nav={nav} state={state} />;
  return <ListView nav={nav} state={state} />;
}
