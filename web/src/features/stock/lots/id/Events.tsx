import { IconHistory } from '@tabler/icons-react';
import { useMemo } from 'react';
import { Link } from 'react-router';
import { can, useMe } from '#/api/session';
import { to } from '#/paths';
import { recordPath, recordRight, recordWord } from '#/records';
import type { LotTrace, TraceEvent } from '#/stock/api';
import { DataTable } from '#/table/DataTable';
import { clientSource } from '#/table/sources';
import type { Column } from '#/table/types';
import type { TableState } from '#/table/useTableState';
import { day, moment, qty } from '#/ui/format';
import { Segments } from '#/ui/Segments';
import { EVENT_WORDS, lotKey, type Side } from './model';

interface Row extends TraceEvent {
  key: string;
}

const SIDES: readonly { value: '' | Side; label: string }[] = [
  { value: '', label: 'Everything' },
  { value: 'asked', label: 'This lot' },
  { value: 'madeOf', label: 'What went into it' },
  { value: 'wentInto', label: 'What it went into' },
];

interface Props {
  trace: LotTrace;
  state: TableState;
  exportHref?: ((format: 'csv' | 'xlsx') => string) | undefined;
}

/** All events of a lot and related lots, as food-safety rules require. */
export function Events({ trace, state, exportHref }: Props) {
  const me = useMe();
  const side = state.get('side');
  const sides = useMemo(
    () => new Map(trace.lots.map((lot) => [lotKey(lot), lot.side])),
    [trace.lots],
  );
  const rows = useMemo<Row[]>(
    () =>
      trace.events
        .filter((event) => !side || sides.get(lotKey(event)) === side)
        .map((event, i) => ({ ...event, key: `${i} ${event.documentId}` }))
        .sort((a, b) => a.at.localeCompare(b.at)),
    [trace.events, sides, side],
  );
  const columns = useMemo<Column<Row>[]>(
    () => [
      {
        id: 'at',
        label: 'Date',
        width: 118,
        value: ({ at }) => at,
        cell: ({ date, at }) => <span title={moment(at)}>{day(date)}</span>,
        phone: 'sub',
      },
      {
        id: 'event',
        label: 'What happened',
        width: 140,
        primary: true,
        value: ({ event }) => EVENT_WORDS[event] ?? event,
      },
      {
        id: 'lot',
        label: 'Lot',
        width: 140,
        phone: 'sub',
        value: ({ lot }) => lot,
        cell: (row) =>
          sides.get(lotKey(row)) === 'asked' ? (
            row.lot
          ) : (
            <Link to={to('stockLot', { lot: row.lot }, { product: row.productId })}>{row.lot}</Link>
          ),
      },
      { id: 'product', label: 'Product', width: 230, phone: 'sub', value: ({ name }) => name },
      {
        id: 'qty',
        label: 'Quantity',
        width: 92,
        value: (row) => row.qty,
        number: qty,
        phone: 'end',
        unit: ({ uomCode }) => uomCode,
      },
      { id: 'unit', label: 'Unit', width: 60, value: ({ uomCode }) => uomCode, phone: 'none' },
      { id: 'from', label: 'From', width: 170, value: ({ from }) => from ?? '–', phone: 'sub' },
      { id: 'to', label: 'To', value: ({ to: where }) => where ?? '–', phone: 'sub' },
      {
        id: 'document',
        label: 'Document',
        width: 158,
        phone: 'sub',
        value: ({ documentNo }) => documentNo ?? '',
        cell: (row) => {
          const path = recordPath(row.documentKind, row.documentId);
          const word = recordWord(row.documentKind) ?? row.documentKind;
          const text = row.documentNo ?? word;
          return path && row.documentNo && can(me, recordRight(row.documentKind)) ? (
            <Link to={path} title={`Open ${word} ${text}`}>
              {text}
            </Link>
          ) : (
            <span title={word}>{text}</span>
          );
        },
      },
    ],
    [sides, me],
  );
  const has = new Set(trace.lots.map((lot) => lot.side));
  const offered = SIDES.filter(({ value }) => !value || has.has(value));
  return (
    <DataTable<Row>
      bare
      id="lot-events"
      title="Everything that happened"
      one="event"
      many="events"
      icon={IconHistory}
      source={clientSource({
        data: rows,
        isPending: false,
        error: null,
        refetch: () => undefined,
      })}
      columns={columns}
      rowId={({ key }) => key}
      rowLabel={({ event, documentNo }) => `${EVENT_WORDS[event] ?? event} ${documentNo ?? ''}`}
      state={state}
      narrowed={Boolean(side)}
      onClear={() => state.set({ q: null, side: null })}
      filters={
        offered.length > 2 && (
          <Segments
            label="Of which lots"
            value={side as '' | Side}
            options={offered}
            onChange={(next) => state.set({ side: next || null })}
          />
        )
      }
      exportHref={exportHref}
      empty={{
        title: 'Nothing happened to it yet',
        text: 'Batches, deliveries and receipts that name this lot show here.',
      }}
    />
  );
}
