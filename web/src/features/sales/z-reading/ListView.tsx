import { Button } from '@mantine/core';
import { IconPhotoScan, IconPlus, IconReceipt2 } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Link, useNavigate } from 'react-router';
import { useCan } from '#/api/session';
import { DayFilter } from '#/documents/DayFilter';
import { knownOf, StatusSegments } from '#/documents/StatusSegments';
import { StoreSelect } from '#/documents/StoreSelect';
import { queryString, to } from '#/paths';
import { span } from '#/reports/question/weeks';
import { DataTable } from '#/table/DataTable';
import { useServerSource } from '#/table/sources';
import type { Column } from '#/table/types';
import { type TableState, writeSort } from '#/table/useTableState';
import { isDay } from '#/ui/dates';
import { DOT, day, money, plural } from '#/ui/format';
import { StatusPill } from '#/ui/StatusPill';
import { usePlace } from '#/ui/StoreChoice';
import { askReadings, BASE, KEY, STATES, type ZReadingRow } from './api';
import { WithoutStore } from './WithoutStore';
import classes from './ZReading.module.css';

/** What to check in a row, in a few words. */
export function concern(row: ZReadingRow): string {
  const { verdict, doubtful, failing, state } = row;
  if (verdict === 'unreadable' && state === 'needsReview') return 'Picture unreadable';
  if (failing.length > 0) return plural(failing.length, 'sum does not agree', 'sums do not agree');
  if (row.breaksChain) return 'Grand total jumps';
  if (row.salesDiffer) return 'Imported sales differ';
  if (doubtful > 0 && state === 'needsReview') return `${plural(doubtful, 'field')} to look at`;
  return '';
}

const COLUMNS: Column<ZReadingRow>[] = [
  {
    id: 'date',
    label: 'Date',
    primary: true,
    width: 120,
    value: ({ businessDate }) => businessDate,
    cell: ({ businessDate }) => day(businessDate),
  },
  { id: 'store', label: 'Store', value: ({ storeName }) => storeName, phone: 'sub' },
  {
    id: 'till',
    label: 'Till',
    width: 90,
    sortable: false,
    phone: 'sub',
    value: ({ terminalId }) => terminalId || '–',
  },
  {
    id: 'counter',
    label: 'Z counter',
    width: 100,
    sortable: false,
    phone: 'none',
    value: ({ zCounter }) => zCounter,
    number: (value) => (value == null ? '–' : String(value)),
  },
  {
    id: 'state',
    label: 'Status',
    width: 130,
    sortable: false,
    phone: 'end',
    value: ({ state }) => STATES[state]?.label ?? state,
    cell: ({ state }) => (
      <StatusPill tone={STATES[state]?.tone ?? 'neutral'}>
        {STATES[state]?.label ?? state}
      </StatusPill>
    ),
  },
  {
    id: 'concern',
    label: 'To look at',
    width: 190,
    sortable: false,
    phone: 'sub',
    value: concern,
    cell: (row) => {
      const words = concern(row) || row.reason;
      if (!words) return null;
      return (
        <span
          className={row.failing.length > 0 || row.breaksChain ? classes.bad : classes.muted}
          title={row.failing.join('\n')}
        >
          {words}
        </span>
      );
    },
  },
  {
    id: 'gross',
    label: 'Gross',
    width: 130,
    sortable: false,
    phone: 'none',
    value: ({ gross }) => gross,
    number: money,
  },
  { id: 'net', label: 'Net', width: 130, value: ({ net }) => net, number: money, phone: 'none' },
  {
    id: 'updatedAt',
    label: 'Changed by',
    width: 150,
    muted: true,
    phone: 'none',
    value: ({ updatedBy }) => updatedBy.name,
  },
];

interface Props {
  nav: ReactNode;
  state: TableState;
}

/** The list, with counts by status. */
export function ListView({ nav, state }: Props) {
  const navigate = useNavigate();
  const [mayExport, mayCreate, mayRead, mayEdit, mayApprove] = [
    useCan('sales/zReading', 'export'),
    useCan('sales/zReading', 'create'),
    useCan('tools/zReadingOcr', 'create'),
    useCan('sales/zReading', 'edit'),
    useCan('sales/zReading', 'approve'),
  ];
  const [from, to_] = [state.get('from'), state.get('to')];
  const filters = {
    q: state.q || undefined,
    storeId: state.get('storeId') || undefined,
    terminalId: state.get('terminalId') || undefined,
    from: isDay(from) ? from : undefined,
    to: isDay(to_) ? to_ : undefined,
  };
  const sort = writeSort(state.sort) ?? '';
  const query = {
    ...filters,
    state: knownOf(state.get('state'), STATES) || undefined,
    sort: ['-date', 'date', 'store', '-updatedAt', '-net'].includes(sort) ? sort : undefined,
  };
  const source = useServerSource<ZReadingRow>([...KEY, 'page', query], (page, pageSize, signal) =>
    askReadings({ ...query, page, pageSize }, signal),
  );
  const { data: counts } = useQuery({
    queryKey: [...KEY, 'counts', filters],
    queryFn: async ({ signal }) => (await askReadings({ ...filters, pageSize: 1 }, signal)).counts,
  });
  const hrefOf = ({ id }: ZReadingRow) => to('salesZReadingOne', { id });
  const place = usePlace(query.storeId ?? '');
  const onPaper = [
    query.from && query.to ? span({ from: query.from, to: query.to }) : 'All dates',
    place ?? 'All stores',
    query.state
      ?.split(',')
      .map((one) => STATES[one]?.label ?? one)
      .join(', '),
    query.q && `“${query.q}”`,
  ]
    .filter(Boolean)
    .join(DOT);
  const waiting = mayEdit || mayApprove ? (counts?.needsReview ?? 0) : 0;
  const startReview = async () => {
    const first = await askReadings({
      ...filters,
      state: 'needsReview',
      sort: 'review',
      pageSize: 1,
    });
    const [row] = first.items;
    if (row) void navigate(hrefOf(row));
  };

  return (
    <DataTable<ZReadingRow>
      id="z-readings"
      title="Z-readings"
      one="Z-reading"
      many="Z-readings"
      icon={IconReceipt2}
      source={source}
      columns={COLUMNS}
      rowId={({ id }) => id}
      rowLabel={({ businessDate, storeName }) => `${day(businessDate)}, ${storeName}`}
      state={state}
      placeholder="Find by store, till, counter or invoice"
      narrowed={Boolean(query.state || query.storeId || query.terminalId || query.from || query.to)}
      onClear={() =>
        state.set({ q: null, state: null, storeId: null, terminalId: null, from: null, to: null })
      }
      above={
        <>
          {nav}
          <WithoutStore />
        </>
      }
      paper={onPaper}
      filters={
        <div className={classes.filters}>
          <StatusSegments
            states={STATES}
            counts={counts}
            value={query.state ?? ''}
            onChange={(next) => state.set({ state: next || null })}
          />
          <StoreSelect
            value={query.storeId ?? ''}
            onChange={(id) => state.set({ storeId: id || null, terminalId: null })}
          />
          <DayFilter
            from={filters.from ?? ''}
            to={filters.to ?? ''}
            onChange={(range) => state.set({ from: range.from || null, to: range.to || null })}
          />
        </div>
      }
      actions={
        <>
          {waiting > 0 && (
            <Button variant="light" onClick={() => void startReview()}>
              Review {waiting}
            </Button>
          )}
          {mayRead && (
            <Button
              component={Link}
              to={to('toolsZReadingOcr')}
              variant="default"
              leftSection={<IconPhotoScan size={16} aria-hidden />}
            >
              Drop pictures
            </Button>
          )}
          {mayCreate && (
            <Button
              component={Link}
              to={to('salesZReadingOne', { id: 'new' }, { storeId: query.storeId })}
              leftSection={<IconPlus size={16} aria-hidden />}
            >
              New reading
            </Button>
          )}
        </>
      }
      onNew={mayCreate ? () => void navigate(to('salesZReadingOne', { id: 'new' })) : undefined}
      hrefOf={hrefOf}
      onOpen={(row) => void navigate(hrefOf(row))}
      faded={({ state: it }) => it === 'discarded'}
      exportHref={
        mayExport ? (format) => `${BASE}/export${queryString({ format, ...query })}` : undefined
      }
      empty={{
        title: 'No Z-readings yet',
        text: 'Drop the pictures of your tills’ Z-readings, or type one in.',
      }}
    />
  );
}
