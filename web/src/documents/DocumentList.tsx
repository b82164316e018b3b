import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useMemo } from 'react';
import { useNavigate } from 'react-router';
import { useNameOf } from '#/api/names';
import { useCan } from '#/api/session';
import { DataTable } from '#/table/DataTable';
import { useServerSource } from '#/table/sources';
import type { Column } from '#/table/types';
import { useTableState, writeSort } from '#/table/useTableState';
import { isDay } from '#/ui/dates';
import { count, day, money } from '#/ui/format';
import { Segments } from '#/ui/Segments';
import { StatusPill } from '#/ui/StatusPill';
import { documentApi } from './api';
import { DayFilter } from './DayFilter';
import classes from './DocumentList.module.css';
import { knownOf, StatusSegments } from './StatusSegments';
import { StoreSelect } from './StoreSelect';
import type { DocumentDef, DocumentHead } from './types';

interface Props<H extends DocumentHead> {
  def: DocumentDef<H>;
  title?: string;
  actions?: ReactNode;
  onNew?(): void;
  /** Between the head and the filters: tabs, notices. */
  above?: ReactNode;
}

/** The list of a document type: status counts, filters, export. */
export function DocumentList<H extends DocumentHead>(props: Props<H>) {
  const { def, title, actions, onNew, above } = props;
  const state = useTableState();
  const navigate = useNavigate();
  const mayExport = useCan(def.page, 'export');
  const stores = useNameOf('stores');
  const api = useMemo(() => documentApi<H, H>(def.base), [def]);

  const [from, to] = [state.get('from'), state.get('to')];
  const filters = {
    q: state.q || undefined,
    storeId: (!def.ofKitchens && state.get('storeId')) || undefined,
    from: isDay(from) ? from : undefined,
    to: isDay(to) ? to : undefined,
    undecided: def.undecided && state.get('undecided') === 'true' ? 'true' : undefined,
  };
  const query = {
    ...filters,
    status: knownOf(state.get('status'), def.states) || undefined,
    sort: writeSort(state.sort) ?? undefined,
  };
  const source = useServerSource<H>([...def.key, 'page', query], (page, pageSize, signal) =>
    api.page({ ...query, page, pageSize }, signal),
  );
  const { data: counts } = useQuery({
    queryKey: [...def.key, 'counts', filters],
    queryFn: async ({ signal }) => (await api.page({ ...filters, pageSize: 1 }, signal)).counts,
  });

  const columns = useMemo<Column<H>[]>(
    () => [
      {
        id: 'number',
        label: 'Number',
        primary: true,
        width: 150,
        value: (row) => def.number(row),
      },
      {
        id: 'date',
        label: def.dateLabel,
        width: 120,
        value: (row) => def.date(row),
        cell: (row) => day(def.date(row)),
        phone: 'sub',
      },
      {
        id: 'status',
        label: 'Status',
        width: 160,
        sortable: false,
        value: (row) => def.states[row.status]?.label ?? row.status,
        cell: (row) => {
          const words = def.states[row.status];
          return (
            <StatusPill tone={words?.tone ?? 'neutral'}>{words?.label ?? row.status}</StatusPill>
          );
        },
        phone: 'end',
      },
      ...(def.ofKitchens
        ? []
        : [
            {
              id: 'store',
              label: 'Store',
              value: (row: H) => (row.storeId ? (stores.get(row.storeId)?.name ?? '') : '–'),
              phone: 'sub' as const,
            },
          ]),
      {
        id: 'lines',
        label: 'Lines',
        width: 80,
        sortable: false,
        value: (row) => row.lineCount,
        number: count,
      },
      ...(def.columns ?? []),
      ...(def.priced
        ? [
            {
              id: 'amount',
              label: 'Amount',
              width: 130,
              sortable: false,
              value: (row: H) => row.amount,
              number: money,
            },
          ]
        : []),
      {
        id: 'updatedAt',
        label: 'Changed by',
        width: 170,
        muted: true,
        phone: 'none',
        value: (row) => row.updatedBy.name,
      },
    ],
    [def, stores],
  );

  const narrowed = Boolean(
    query.status || query.storeId || query.from || query.to || query.undecided,
  );
  return (
    <DataTable<H>
      id={def.key.join('-')}
      title={title ?? def.title}
      one={def.one}
      many={def.many}
      icon={def.icon}
      source={source}
      columns={columns}
      rowId={({ id }) => id}
      rowLabel={def.number}
      state={state}
      placeholder={def.ofKitchens ? 'Find by number' : 'Find by number or store'}
      narrowed={narrowed}
      onClear={() =>
        state.set({ q: null, status: null, storeId: null, from: null, to: null, undecided: null })
      }
      filters={
        <div className={classes.filters}>
          <StatusSegments
            states={def.states}
            counts={counts}
            value={query.status ?? ''}
            onChange={(next) => state.set({ status: next || null })}
          />
          {def.undecided && (
            <Segments
              label="Which"
              value={query.undecided ?? ''}
              options={[
                { value: '', label: 'All' },
                { value: 'true', label: def.undecided },
              ]}
              onChange={(next) => state.set({ undecided: next || null, status: null })}
            />
          )}
          {!def.ofKitchens && (
            <StoreSelect
              value={query.storeId ?? ''}
              onChange={(id) => state.set({ storeId: id || null })}
            />
          )}
          <DayFilter
            from={filters.from ?? ''}
            to={filters.to ?? ''}
            onChange={(range) => state.set({ from: range.from || null, to: range.to || null })}
          />
        </div>
      }
      actions={actions}
      above={above}
      onNew={onNew}
      hrefOf={({ id }) => def.href(id)}
      onOpen={({ id }) => void navigate(def.href(id))}
      faded={({ status: at }) => at === 'cancelled' || at === 'reversed'}
      exportHref={mayExport ? (format) => api.exportHref(format, query) : undefined}
      empty={def.empty}
    />
  );
}
