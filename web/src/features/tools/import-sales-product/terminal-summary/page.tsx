import { IconDeviceDesktop } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { useKnownRange } from '#/api/sales';
import { useCan } from '#/api/session';
import { pages } from '#/paths';
import { DataTable } from '#/table/DataTable';
import { clientSource } from '#/table/sources';
import type { Column } from '#/table/types';
import { useTableState } from '#/table/useTableState';
import { BackLink } from '#/ui/BackLink';
import { DateRange } from '#/ui/DateRange';
import { addDays, isDay, today } from '#/ui/dates';
import { amount, count, day, qty } from '#/ui/format';
import { StatusPill } from '#/ui/StatusPill';
import { StoreFilter } from '#/ui/StoreFilter';
import { sum } from '#/ui/sums';
import { salesApi } from '../api';
import type { TerminalRow } from '../types';

export default function TerminalSummaryPage() {
  const state = useTableState();
  const known = useKnownRange();
  const mayImport = useCan(pages.toolsImportSales.can);
  const [from, until] = [state.get('from'), state.get('to')];
  const range = useMemo(() => {
    if (isDay(from) && isDay(until)) return { from, to: until };
    const now = today();
    const end = known.range && known.range.to < now ? known.range.to : now;
    return { from: addDays(end, -27), to: end };
  }, [from, until, known.range]);
  const storeIds = state.get('storeIds').split(',').filter(Boolean);
  const query = useQuery({
    queryKey: ['import-sales', 'terminals', range, storeIds],
    queryFn: async ({ signal }) => (await salesApi.terminals({ ...range, storeIds }, signal)).items,
    enabled: !known.pending,
    placeholderData: (before) => before,
  });
  const columns = useMemo(() => columnsOf(query.data ?? []), [query.data]);

  return (
    <DataTable<TerminalRow>
      id="terminal-summary"
      title="Terminal summary"
      back={mayImport && <BackLink to={pages.toolsImportSales.path} label="Import sales" />}
      one="terminal"
      many="terminals"
      icon={IconDeviceDesktop}
      source={clientSource(query)}
      columns={columns}
      rowId={({ storeId, terminalId }) => `${storeId} ${terminalId}`}
      rowLabel={({ storeName, terminalId }) => `${storeName} ${terminalId}`}
      state={state}
      totals
      filters={
        <>
          <DateRange
            value={range}
            known={known.range}
            onChange={(next) => state.set({ from: next.from, to: next.to })}
          />
          <StoreFilter
            value={storeIds}
            onChange={(ids) => state.set({ storeIds: ids.join(',') || null })}
          />
        </>
      }
      empty={{ title: 'No sales in these days', text: 'Choose other days, or import the sales.' }}
    />
  );
}

function columnsOf(rows: readonly TerminalRow[]): Column<TerminalRow>[] {
  const total = (pick: (row: TerminalRow) => number) => sum(rows.map(pick));
  return [
    {
      id: 'storeName',
      label: 'Store',
      value: ({ storeName }) => storeName,
      primary: true,
      total: 'Total',
    },
    {
      id: 'terminalId',
      label: 'Terminal',
      value: ({ terminalId }) => terminalId || 'not named',
      width: 140,
    },
    {
      id: 'known',
      label: 'Known',
      value: ({ known }) => (known ? 'Known' : 'Unknown'),
      cell: ({ known, message }) =>
        known ? (
          <StatusPill tone="ok">Known</StatusPill>
        ) : (
          <span title={message ?? undefined}>
            <StatusPill tone="warn">Unknown</StatusPill>
          </span>
        ),
      width: 110,
      phone: 'sub',
    },
    { id: 'days', label: 'Days', value: ({ days }) => days, number: count, width: 80 },
    {
      id: 'receipts',
      label: 'Receipts',
      value: ({ receipts }) => receipts,
      number: count,
      width: 110,
      total: count(total(({ receipts }) => receipts)),
    },
    {
      id: 'lines',
      label: 'Lines',
      value: ({ lines }) => lines,
      number: count,
      width: 110,
      total: count(total(({ lines }) => lines)),
    },
    {
      id: 'qty',
      label: 'Quantity',
      value: (row) => row.qty,
      number: qty,
      width: 120,
      total: qty(total((row) => row.qty)),
    },
    {
      id: 'net',
      label: 'Net (₱)',
      value: ({ net }) => net,
      number: amount,
      width: 140,
      total: amount(total(({ net }) => net)),
      phone: 'end',
    },
    {
      id: 'discounts',
      label: 'Discounts (₱)',
      value: ({ discounts }) => discounts,
      number: amount,
      width: 130,
      total: amount(total(({ discounts }) => discounts ?? 0)),
      phone: 'none',
    },
    {
      id: 'vat',
      label: 'VAT (₱)',
      value: ({ vat }) => vat,
      number: amount,
      width: 120,
      total: amount(total(({ vat }) => vat ?? 0)),
      phone: 'none',
    },
    {
      id: 'pax',
      label: 'Guests',
      value: ({ pax }) => pax,
      number: count,
      width: 100,
      total: count(total(({ pax }) => pax ?? 0)),
      phone: 'none',
    },
    {
      id: 'first',
      label: 'First day',
      value: ({ first }) => first,
      cell: ({ first }) => day(first),
      width: 120,
      muted: true,
    },
    {
      id: 'last',
      label: 'Last day',
      value: ({ last }) => last,
      cell: ({ last }) => day(last),
      width: 120,
      muted: true,
    },
  ];
}
