import { ActionIcon, Button } from '@mantine/core';
import {
  IconCalendarOff,
  IconChevronLeft,
  IconChevronRight,
  IconReceipt,
} from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { Link, useParams } from 'react-router';
import { queries } from '#/api/queries';
import { useCan } from '#/api/session';
import { RecordDrawerForm } from '#/form/RecordDrawerForm';
import type { Field } from '#/form/types';
import type { Saved } from '#/form/useRecordForm';
import { pages, to } from '#/paths';
import { DataTable } from '#/table/DataTable';
import { clientSource } from '#/table/sources';
import type { Column } from '#/table/types';
import { useTableState } from '#/table/useTableState';
import { BackLink } from '#/ui/BackLink';
import { DrawerFrame } from '#/ui/DrawerFrame';
import { addDays, dayOf } from '#/ui/dates';
import { EmptyState } from '#/ui/EmptyState';
import { amount, count, DOT, day, moment, money, plural, qty } from '#/ui/format';
import { Page } from '#/ui/Page';
import { StatusPill } from '#/ui/StatusPill';
import { done } from '#/ui/toast';
import { type LineCorrection, salesApi, salesChanged } from '../api';
import type { SalesDay, SalesLine } from '../types';
import { belongingTo, inFamilies, keyOf, nameOf, parentOf } from './families';
import { leftOut, leftOutWords } from './leftOut';
import classes from './page.module.css';

type Change = Omit<LineCorrection, 'lineNo' | 'place'>;

const FIELDS: readonly Field[] = [
  { kind: 'ref', name: 'posItemId', label: 'POS item', of: 'pos-items', wide: true },
  { kind: 'decimal', name: 'qty', label: 'Quantity', required: true, min: -1e9 },
  { kind: 'money', name: 'unitPrice', label: 'Price', required: true },
  { kind: 'money', name: 'discount', label: 'Discount' },
];

/** One store on one day: every posted line, with corrections. */
export default function StoreDayPage() {
  const { storeId = '', year = '', month = '', day: date = '' } = useParams();
  const on = dayOf(year, month, date);
  return on ? <StoreDay storeId={storeId} on={on} /> : <NoSuchDay />;
}

/** The address has no valid day. */
function NoSuchDay() {
  return (
    <Page
      title="Store day"
      back={<BackLink to={pages.toolsImportSales.path} label="Import sales" />}
    >
      <EmptyState
        icon={IconCalendarOff}
        role="alert"
        title="There is no such day"
        text="The address does not end in a year, a month and a day. Choose the day from what is imported."
        action={
          <Button component={Link} to={pages.toolsImportSales.path}>
            Open import sales
          </Button>
        }
      />
    </Page>
  );
}

function StoreDay({ storeId, on }: { storeId: string; on: string }) {
  const state = useTableState();
  const mayEdit = useCan('tools/importSalesProduct', 'edit');
  const key = ['import-sales', 'day', storeId, on];
  const query = useQuery({
    queryKey: key,
    queryFn: ({ signal }) => salesApi.day(storeId, on, signal),
  });
  const data = query.data;
  const lines = useMemo(() => data && inFamilies(data.lines), [data]);
  const line = data?.lines.find((one) => keyOf(one) === state.get('open'));
  const close = () => state.set({ open: null });

  async function correct(target: SalesLine, change: Change) {
    const next = await salesApi.correct(storeId, on, target.source, target.revision, [
      { lineNo: target.lineNo, place: target.place, ...change },
    ]);
    queries.setQueryData(key, next);
    salesChanged();
    return next;
  }

  return (
    <>
      <DataTable<SalesLine>
        id="sales-day"
        title={data ? `${data.store.name}, ${day(on)}` : day(on)}
        back={<BackLink to={pages.toolsImportSales.path} label="Import sales" />}
        aside={data && <Totals data={data} />}
        one="line"
        many="lines"
        icon={IconReceipt}
        source={clientSource({ ...query, data: lines })}
        columns={columnsOf(data)}
        rowId={keyOf}
        rowLabel={nameOf}
        state={state}
        totals
        above={data && <Receipts data={data} />}
        onOpen={mayEdit ? (row) => state.set({ open: keyOf(row) }, true) : undefined}
        actions={
          <>
            <DayLink storeId={storeId} on={addDays(on, -1)} label="Day before" />
            <DayLink storeId={storeId} on={addDays(on, 1)} label="Day after" next />
          </>
        }
        empty={{ title: 'No sales on this day', text: 'Nothing was imported for this store day.' }}
      />
      <DrawerFrame opened={Boolean(line)} title="Correct line" onClose={close}>
        {line && (
          <RecordDrawerForm<SalesLine & Saved>
            key={keyOf(line)}
            fields={FIELDS}
            record={{ ...line, id: keyOf(line) }}
            saveLabel="Save line"
            what="this line"
            note={[
              `“${line.sourceItem}” in row ${line.lineNo} of the file. Every report follows the correction.`,
              ...familyNote(data?.lines ?? [], line),
            ].join(' ')}
            save={async (change) => {
              const next = await correct(line, change as Change);
              const found = next.lines.find((one) => keyOf(one) === keyOf(line)) ?? line;
              return { ...found, id: keyOf(line) };
            }}
            onSaved={() => {
              done('Line corrected');
              close();
            }}
            onClose={close}
            danger={
              <Button
                variant="subtle"
                color="red"
                onClick={() =>
                  void correct(line, { remove: true }).then(() => {
                    done('Line removed');
                    close();
                  })
                }
              >
                Remove line
              </Button>
            }
          />
        )}
      </DrawerFrame>
    </>
  );
}

/** What follows a correction of a line, or what the line belongs to. */
function familyNote(all: readonly SalesLine[], line: SalesLine): string[] {
  const parent = parentOf(all, line);
  if (parent) return [`It belongs to “${nameOf(parent)}”.`];
  const parts = belongingTo(all, line);
  if (parts.length === 0) return [];
  const names = parts.map(nameOf).join(', ');
  return [
    parts.length === 1
      ? `1 line belongs to it (${names}): its quantity follows, and it is removed with this one.`
      : `${parts.length} lines belong to it (${names}): their quantities follow, and they are removed with this one.`,
  ];
}

/** Receipt totals next to their lines, by source and till. */
function Receipts({ data }: { data: SalesDay }) {
  if (data.facts.length + data.tenders.length === 0) return null;
  return (
    <section className={classes.receipts} aria-label="What the receipts say">
      {data.facts.map((till) => (
        <dl key={`${till.source} ${till.terminalId}`}>
          <div>
            <dt>{till.terminalId ? `Terminal ${till.terminalId}` : 'Receipts'}</dt>
            <dd>
              {count(till.receipts)}
              {till.pax > 0 && `, ${count(till.pax)} guests`}
            </dd>
          </div>
          {(
            [
              ['Gross', till.gross],
              ['Discounts', -till.discounts],
              ['Returns', -till.returns],
              ['Voids', -till.voids],
              ['Net', till.net],
            ] as const
          )
            .filter(([name, of]) => of !== 0 || name === 'Net')
            .map(([name, of]) => (
              <div key={name} data-sum={name === 'Net' || undefined}>
                <dt>{name}</dt>
                <dd className="num">{amount(of)}</dd>
              </div>
            ))}
        </dl>
      ))}
      {data.facts
        .filter(({ figures }) => figures.length > 0)
        .map((till) => (
          <dl key={`of ${till.source} ${till.terminalId}`}>
            {till.figures.map((figure) => (
              <div key={figure.name}>
                <dt>{figure.name}</dt>
                <dd className="num">{amount(figure.amount)}</dd>
              </div>
            ))}
          </dl>
        ))}
      {data.tenders.length > 0 && (
        <dl>
          {data.tenders.map((tender) => (
            <div key={`${tender.source} ${tender.name}`}>
              <dt>{tender.name}</dt>
              <dd className="num">{amount(tender.amount)}</dd>
            </div>
          ))}
        </dl>
      )}
    </section>
  );
}

function Totals({ data }: { data: SalesDay }) {
  const { lines, receipts, net } = data.totals;
  const left = leftOut(data);
  const source = data.sources.find((one) => !left.has(one.source));
  return (
    <>
      {plural(lines, 'line')}
      {DOT}
      {receipts > 0 && `${plural(receipts, 'receipt')}${DOT}`}
      {money(net)}
      {source && `${DOT}${source.fileName ?? source.source}, ${moment(source.postedAt)}`}
      {leftOutWords(data).map((words) => (
        <span key={words}>
          {DOT}
          {words}
        </span>
      ))}
    </>
  );
}

function DayLink({
  storeId,
  on,
  label,
  next,
}: {
  storeId: string;
  on: string;
  label: string;
  next?: boolean;
}) {
  const [year = '', month = '', date = ''] = on.split('-');
  const Picture = next ? IconChevronRight : IconChevronLeft;
  return (
    <ActionIcon
      variant="default"
      size="lg"
      component={Link}
      to={to('toolsImportSalesDay', { storeId, year, month, day: date })}
      aria-label={label}
      title={label}
    >
      <Picture size={18} aria-hidden />
    </ActionIcon>
  );
}

/** What was sold: a combo with its parts, a part indented. */
function ItemName({ line, all }: { line: SalesLine; all: readonly SalesLine[] }) {
  const parent = parentOf(all, line);
  if (parent) {
    return (
      <span className={classes.part} title={`Belongs to ${nameOf(parent)}`}>
        {nameOf(line)}
      </span>
    );
  }
  const parts = belongingTo(all, line);
  return (
    <>
      {nameOf(line)}
      {parts.length > 0 && (
        <span className={classes.parts}> with {parts.map(nameOf).join(', ')}</span>
      )}
    </>
  );
}

function columnsOf(data: SalesDay | undefined): Column<SalesLine>[] {
  const all = data?.lines ?? [];
  const left = data && leftOut(data);
  return [
    {
      id: 'item',
      label: 'Item',
      value: nameOf,
      cell: (line) => (
        <>
          <ItemName line={line} all={all} />
          {left?.has(line.source) && <span className={classes.parts}> (not counted)</span>}
        </>
      ),
      primary: true,
      total: 'Total',
    },
    {
      id: 'posItemId',
      label: 'Mapped',
      value: ({ posItemId }) => (posItemId ? 'Mapped' : 'Not mapped'),
      cell: ({ posItemId }) =>
        posItemId ? (
          <StatusPill tone="ok">Mapped</StatusPill>
        ) : (
          <StatusPill tone="warn">Not mapped</StatusPill>
        ),
      width: 120,
      phone: 'sub',
    },
    {
      id: 'receiptNo',
      label: 'Receipt',
      value: ({ receiptNo }) => receiptNo,
      width: 120,
      muted: true,
    },
    {
      id: 'serviceType',
      label: 'Service',
      value: ({ serviceType, channel }) =>
        [serviceType, channel].filter(Boolean).join(', ') || null,
      width: 130,
      muted: true,
      phone: 'none',
    },
    {
      id: 'soldAt',
      label: 'Time',
      value: ({ soldAt }) => soldAt,
      cell: ({ soldAt }) => (soldAt ? moment(soldAt).split(', ')[1] : '–'),
      width: 80,
      muted: true,
      phone: 'none',
    },
    {
      id: 'kind',
      label: 'Kind',
      value: ({ kind }) => kind,
      cell: ({ kind }) => (kind === 'sale' ? 'Sale' : kind === 'void' ? 'Void' : 'Return'),
      width: 80,
      muted: true,
      phone: 'none',
    },
    {
      id: 'qty',
      label: 'Quantity',
      value: (row) => row.qty,
      number: qty,
      width: 110,
      total: data && qty(data.totals.qty),
    },
    {
      id: 'unitPrice',
      label: 'Price (₱)',
      value: ({ unitPrice }) => unitPrice,
      number: amount,
      width: 110,
    },
    {
      id: 'discount',
      label: 'Discount (₱)',
      value: ({ discount }) => discount,
      number: amount,
      width: 120,
      total: data && amount(data.totals.discount),
    },
    {
      id: 'net',
      label: 'Net (₱)',
      value: ({ net }) => net,
      number: amount,
      width: 130,
      total: data && amount(data.totals.net),
      phone: 'end',
    },
  ];
}
