import { Button } from '@mantine/core';
import { IconAdjustments, IconFileUpload, IconPrinter, IconReportMoney } from '@tabler/icons-react';
import { useMemo, useState } from 'react';
import { useCan } from '#/api/session';
import { pages, queryString } from '#/paths';
import { useStoreLabel } from '#/reports/frame/useStoreLabel';
import { span } from '#/reports/question/weeks';
import { DataTable } from '#/table/DataTable';
import { matching } from '#/table/filter';
import { clientSource } from '#/table/sources';
import { useTableState } from '#/table/useTableState';
import { BackLink } from '#/ui/BackLink';
import { DateRange } from '#/ui/DateRange';
import { addDays, isDay, today } from '#/ui/dates';
import { DOT, day, money, plural } from '#/ui/format';
import { Segments } from '#/ui/Segments';
import { StoreFilter } from '#/ui/StoreFilter';
import { BASE, KINDS, type TenderRow, useTenders } from './api';
import { columnsOf } from './columns';
import { missingWords } from './missing';
import { SettlementDrawer } from './SettlementDrawer';
import { SourcesDrawer } from './SourcesDrawer';
import classes from './Tender.module.css';
import { ToleranceDialog } from './ToleranceDialog';

const WHICH = [
  { value: '', label: 'Everything' },
  { value: 'missing', label: 'Not in the bank' },
  { value: 'late', label: 'Late' },
  { value: 'differs', label: 'Differs' },
  { value: 'undeclared', label: 'Not declared' },
] as const;

const keyOf = ({ storeId, date, kind }: TenderRow) => `${storeId}_${date}_${kind}`;

/** How each day was paid, from till to bank: what arrived, what is missing and for how long. */
export default function TenderReportPage() {
  const state = useTableState();
  const [uploading, setUploading] = useState(false);
  const [setting, setSetting] = useState(false);
  const mayImport = useCan('sales/tenderReport', 'import');
  const mayExport = useCan('sales/tenderReport', 'export');
  const mayOverride = useCan('sales/tenderReport', 'override');
  const now = today();
  const [from, to] = [state.get('from'), state.get('to')];
  const range = isDay(from) && isDay(to) ? { from, to } : { from: addDays(now, -14), to: now };
  const stores = state.get('stores').split(',').filter(Boolean);
  const words = useStoreLabel({ storeIds: stores, areaIds: [] });
  // An address may be old or typed.
  const kind = KINDS.find(({ value }) => value === state.get('kind'))?.value ?? '';
  const only = WHICH.find(({ value }) => value === state.get('only'))?.value ?? '';
  const asked = {
    ...range,
    storeIds: stores.join(',') || undefined,
    kinds: kind || undefined,
    only: only || undefined,
  };
  const query = useTenders(asked);
  const rows = useMemo(
    () => query.data?.items.map((row) => ({ ...row, id: keyOf(row) })),
    [query.data],
  );
  const q = state.get('q');
  const columns = useMemo(() => columnsOf(matching(rows ?? [], columnsOf([]), q)), [rows, q]);
  const { data } = query;
  const open = state.get('open');
  const exported = (format: 'csv' | 'xlsx') => `${BASE}/export${queryString({ ...asked, format })}`;

  return (
    <>
      <DataTable<TenderRow & { id: string }>
        id="sales-tender-report"
        title="Tender report"
        back={<BackLink to={pages.salesCmsr.path} label="Sales" />}
        one="row"
        many="rows"
        icon={IconReportMoney}
        source={clientSource({ ...query, data: rows })}
        columns={columns}
        rowId={({ id }) => id}
        rowLabel={({ storeName, date, kind: of }) => `${storeName}, ${day(date)}, ${of}`}
        state={state}
        placeholder="Find a store"
        narrowed={Boolean(kind || only || stores.length)}
        onClear={() => state.set({ q: null, kind: null, only: null, stores: null })}
        exportHref={mayExport ? exported : undefined}
        filters={
          <>
            <DateRange value={range} onChange={(next) => state.set({ ...next })} />
            <StoreFilter
              value={stores}
              onChange={(ids) => state.set({ stores: ids.join(',') || null })}
            />
            <Segments
              label="Tender"
              value={kind}
              options={[{ value: '', label: 'All' }, ...KINDS]}
              onChange={(next) => state.set({ kind: next || null })}
            />
            <Segments
              label="Which"
              value={only}
              options={WHICH}
              onChange={(next) => state.set({ only: next || null })}
            />
          </>
        }
        paper={`${span(range)}${DOT}${words}`}
        above={
          data && !q && !kind && !only && data.missingDays > 0 ? (
            <button
              type="button"
              className={classes.ageing}
              onClick={() => state.set({ only: 'missing', kind: 'cash' })}
            >
              <b>{money(data.missingCash)} of cash is not in the bank.</b>{' '}
              {plural(data.missingDays, 'day')} not deposited, the oldest for{' '}
              {plural(data.oldest ?? 0, 'day')}.
            </button>
          ) : data && !q && (kind || only) && data.listed.rows > 0 ? (
            <p className={classes.listed}>{missingWords(data.listed, kind)}</p>
          ) : undefined
        }
        aside={data && plural(data.items.length, 'row')}
        actions={
          <>
            <Button
              variant="default"
              leftSection={<IconPrinter size={16} aria-hidden />}
              onClick={() => window.print()}
            >
              Print
            </Button>
            {mayOverride && (
              <Button
                variant="default"
                leftSection={<IconAdjustments size={16} aria-hidden />}
                onClick={() => setSetting(true)}
              >
                Tolerance
              </Button>
            )}
            {mayImport && (
              <Button
                leftSection={<IconFileUpload size={16} aria-hidden />}
                onClick={() => setUploading(true)}
              >
                Settlement file
              </Button>
            )}
          </>
        }
        onOpen={({ id }) => state.set({ open: id }, true)}
        empty={{
          title: 'Nothing was paid on these days',
          text: 'Rows come from imported sales, Z-readings and cash declarations. Choose other dates.',
        }}
      />
      <SourcesDrawer
        row={rows?.find(({ id }) => id === open) ?? null}
        onClose={() => state.set({ open: null })}
      />
      {setting && <ToleranceDialog onClose={() => setSetting(false)} />}
      {uploading && <SettlementDrawer onClose={() => setUploading(false)} />}
    </>
  );
}
