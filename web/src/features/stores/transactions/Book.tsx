import { Select } from '@mantine/core';
import { IconBook2, IconUser } from '@tabler/icons-react';
import { type ReactNode, useMemo } from 'react';
import { useNavigate } from 'react-router';
import { useNamesOf } from '#/api/names';
import { can, useCan, useMe } from '#/api/session';
import { DayFilter } from '#/documents/DayFilter';
import { DataTable } from '#/table/DataTable';
import type { Column } from '#/table/types';
import { useTableState } from '#/table/useTableState';
import { isDay } from '#/ui/dates';
import { count, day, moment, money } from '#/ui/format';
import { Segments } from '#/ui/Segments';
import { StatusPill } from '#/ui/StatusPill';
import { StoreChoice, usePlace } from '#/ui/StoreChoice';
import { usePhone } from '#/ui/usePhone';
import { type Asked, bookHref, type Entry, type EntryKind, useBook } from './api';
import { aboutOf, hrefOf, KINDS, nameOf, sizeOf, stateOf } from './entries';

interface Props {
  storeId: string;
  onStore(id: string): void;
  above: ReactNode;
  actions: ReactNode;
}

const PLACES = [
  'stores',
  'commissaries',
  'warehouses',
  'suppliers',
  'products',
  'root-items',
] as const;
const PLACE_OF: Readonly<Record<string, string>> = {
  store: 'stores',
  commissary: 'commissaries',
  warehouse: 'warehouses',
  supplier: 'suppliers',
  product: 'products',
  rootItem: 'root-items',
};

const STAGES = [
  { value: '', label: 'All' },
  { value: 'open', label: 'To do' },
  { value: 'done', label: 'Done' },
  { value: 'cancelled', label: 'Taken back' },
] as const;

/** A store's documents, newest first. */
export function Book({ storeId, onStore, above, actions }: Props) {
  const state = useTableState();
  const navigate = useNavigate();
  const me = useMe();
  const mayExport = useCan('stores/storeTransactions', 'export');
  const nameOfPlace = useNamesOf(PLACES);
  const place = usePlace(storeId);
  const [from, to] = [state.get('from'), state.get('to')];
  const kind = state.get('kind') in KINDS ? state.get('kind') : '';
  const stage = STAGES.find(({ value }) => value === state.get('stage'))?.value ?? '';
  const person = state.get('person');
  const asked: Asked = {
    storeId,
    kinds: kind || undefined,
    stage: stage || undefined,
    from: isDay(from) ? from : undefined,
    to: isDay(to) ? to : undefined,
    q: state.q || undefined,
    person: person || undefined,
  };
  const source = useBook(asked);
  const href = (entry: Entry) =>
    hrefOf(entry, storeId, (permission) => can(me, permission)) ?? undefined;
  const { rows } = source;
  const people = useMemo(() => {
    const found = new Map<string, string>();
    for (const row of rows) if (row?.by) found.set(row.by.uid, row.by.name);
    if (person && !found.has(person)) found.set(person, 'Chosen person');
    return [...found]
      .map(([value, label]) => ({ value, label: label || value }))
      .sort((a, b) => a.label.localeCompare(b.label));
  }, [rows, person]);
  const columns = useMemo(() => columnsOf(nameOfPlace, storeId), [nameOfPlace, storeId]);
  const size = usePhone() ? 'md' : 'xs';
  const loaded = rows.filter(Boolean).length;

  return (
    <DataTable<Entry>
      id="store-transactions"
      title="Store Transactions"
      place={place}
      one="entry"
      many="entries"
      icon={IconBook2}
      source={source}
      aside={
        source.pending ? undefined : `${count(loaded)}${loaded < rows.length ? ' and more' : ''}`
      }
      columns={columns}
      rowId={({ key }) => key}
      rowLabel={nameOf}
      state={state}
      placeholder="Find by number"
      narrowed={Boolean(kind || stage || asked.from || asked.to || person)}
      onClear={() =>
        state.set({ q: null, kind: null, stage: null, from: null, to: null, person: null })
      }
      filters={
        <>
          <StoreChoice value={storeId} onChange={onStore} />
          <Select
            aria-label="Kind"
            placeholder="All kinds"
            size={size}
            w={140}
            data={source.kinds.map((value) => ({ value, label: KINDS[value].label }))}
            value={kind || null}
            onChange={(next) => state.set({ kind: next })}
            clearable
            clearButtonProps={{ 'aria-label': 'All kinds' }}
          />
          <Segments
            label="Stage"
            value={stage}
            options={[...STAGES]}
            onChange={(next) => state.set({ stage: next || null })}
          />
          <DayFilter
            from={asked.from ?? ''}
            to={asked.to ?? ''}
            onChange={(range) => state.set({ from: range.from || null, to: range.to || null })}
          />
          <Select
            aria-label="Person"
            placeholder="Everybody"
            size={size}
            w={170}
            leftSection={<IconUser size={15} stroke={1.7} aria-hidden />}
            data={people}
            value={person || null}
            onChange={(next) => state.set({ person: next })}
            searchable
            clearable
            clearButtonProps={{ 'aria-label': 'Everybody' }}
            nothingFoundMessage="No one of that name in these entries"
          />
        </>
      }
      above={above}
      actions={actions}
      hrefOf={(entry) => href(entry) ?? ''}
      onOpen={(entry) => {
        const there = href(entry);
        if (there) void navigate(there);
      }}
      faded={({ stage: at }) => at === 'cancelled'}
      exportHref={mayExport ? bookHref(asked) : undefined}
      empty={{
        title: 'Nothing happened in this store yet',
        text: 'Orders, deliveries, receipts, transfers, waste, counts, sales days and Z-readings show here once there are some.',
      }}
    />
  );
}

function columnsOf(
  nameOfPlace: (kind: string, id: unknown) => string | null,
  storeId: string,
): Column<Entry>[] {
  const other = (entry: Entry): string => {
    if (!entry.otherId || !entry.otherKind || entry.otherId === storeId) return '';
    const name = nameOfPlace(PLACE_OF[entry.otherKind] ?? '', entry.otherId) ?? '';
    if (entry.kind === 'transfer') return name && `${entry.sent ? 'to' : 'from'} ${name}`;
    return entry.otherKind in PLACE_OF ? name : '';
  };
  const column = (one: Omit<Column<Entry>, 'sortable'>): Column<Entry> => ({
    ...one,
    sortable: false,
  });
  return [
    column({
      id: 'date',
      label: 'Date',
      width: 116,
      value: ({ date }) => date,
      cell: ({ date }) => day(date),
      phone: 'sub',
    }),
    column({
      id: 'kind',
      label: 'Kind',
      width: 108,
      value: ({ kind }: { kind: EntryKind }) => KINDS[kind].label,
      phone: 'sub',
    }),
    column({ id: 'number', label: 'Document', primary: true, width: 190, value: nameOf }),
    column({
      id: 'state',
      label: 'State',
      width: 150,
      value: (entry) => stateOf(entry).label,
      cell: (entry) => {
        const { label, tone } = stateOf(entry);
        return <StatusPill tone={tone}>{label}</StatusPill>;
      },
      phone: 'end',
    }),
    column({
      id: 'other',
      label: 'From or to',
      value: (entry) => other(entry) || aboutOf(entry) || '–',
      phone: 'sub',
    }),
    column({ id: 'lines', label: 'In it', width: 110, value: sizeOf, align: 'right' }),
    column({
      id: 'amount',
      label: 'Amount',
      width: 130,
      value: ({ amount }) => amount,
      number: money,
    }),
    column({
      id: 'by',
      label: 'By',
      width: 160,
      muted: true,
      phone: 'none',
      value: ({ by }) => by?.name ?? '–',
    }),
    column({
      id: 'at',
      label: 'Changed',
      width: 150,
      muted: true,
      phone: 'none',
      value: ({ at }) => at,
      cell: ({ at }) => moment(at),
    }),
  ];
}
