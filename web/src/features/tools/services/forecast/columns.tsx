import type { Column } from '#/table/types';
import { count, percent, qty } from '#/ui/format';
import { StatusPill } from '#/ui/StatusPill';
import type { Figure } from '../forecastApi';
import { againstLastWeek, klassLabel, leanADay, methodLabel, near, offLabel } from '../measures';

export type Row = Figure & { id: string; store: string; item: string };

export const rowId = ({ storeId, rootItemId }: Pick<Figure, 'storeId' | 'rootItemId'>) =>
  `${storeId}/${rootItemId}`;

/** «20 of 28 days», or only the days. */
function History({ historyDays, needDays, shortHistory }: Row) {
  return (
    <>
      {needDays > 0 ? `${count(historyDays)} of ${count(needDays)} days` : count(historyDays)}
      {shortHistory && (
        <>
          {' '}
          <StatusPill tone="warn">short</StatusPill>
        </>
      )}
    </>
  );
}

/** A run's figures. `beside`: a chart leaves the table little room. */
export function columnsOf(horizon: number | null, beside: boolean): Column<Row>[] {
  const item: Column<Row> = {
    id: 'item',
    label: 'Root item',
    primary: true,
    value: (row) => row.item,
  };
  const perDay: Column<Row> = {
    id: 'perDay',
    label: 'A day',
    title: 'Mean of the days ahead',
    width: beside ? 70 : 90,
    value: (row) => (row.method ? near(row.perDay) : null),
    number: qty,
    phone: 'end',
    unit: (row) => row.unit,
  };
  const unit: Column<Row> = {
    id: 'unit',
    label: 'Unit',
    width: 56,
    value: (row) => row.unit,
    muted: true,
    sortable: false,
    phone: 'none',
  };
  const wape: Column<Row> = {
    id: 'wape',
    label: 'Off by',
    title: 'In trials on past days: all misses together, as a share of what was sold (WAPE)',
    width: 72,
    value: (row) => row.wape,
    cell: (row) => <span title={offLabel(row.wape)}>{percent(row.wape)}</span>,
    align: 'right',
    phone: 'none',
  };
  const store = (width: number): Column<Row> => ({
    id: 'store',
    label: 'Store',
    width,
    value: (row) => row.store,
    phone: 'sub',
  });
  if (beside) return [item, store(120), perDay, wape];
  return [
    item,
    store(180),
    perDay,
    {
      id: 'sum',
      label: horizon ? `${horizon} days` : 'Sum',
      title: 'All days ahead together',
      width: 100,
      value: (row) => (row.method ? near(row.sum) : null),
      number: qty,
      phone: 'none',
    },
    unit,
    {
      id: 'method',
      label: 'Method',
      width: 230,
      value: (row) => row.method,
      cell: ({ method, klass, note }) => (
        <span title={method ? klassLabel(klass) : (note ?? undefined)}>
          {method ? methodLabel(method) : (note ?? 'Not forecast')}
        </span>
      ),
      phone: 'sub',
    },
    {
      id: 'historyDays',
      label: 'Days known',
      title: 'Days of sales that are known',
      width: 130,
      value: (row) => row.historyDays,
      cell: (row) => <History {...row} />,
      align: 'right',
      phone: 'none',
    },
    wape,
    {
      id: 'bias',
      label: 'Leans',
      width: 150,
      value: (row) => row.bias,
      cell: (row) => leanADay(row.bias, row.perDay, row.unit) || '–',
      align: 'right',
      hidden: true,
      phone: 'none',
    },
    {
      id: 'mase',
      label: 'Against last week',
      title:
        'In trials on past days, compared with repeating the same weekday of the week before (MASE)',
      width: 140,
      value: (row) => row.mase,
      cell: ({ mase }) => (
        <span title={mase == null ? undefined : `MASE ${qty(Math.round(mase * 100) / 100)}`}>
          {againstLastWeek(mase).replace(' than repeating last week', '') || '–'}
        </span>
      ),
      align: 'right',
      phone: 'none',
    },
    {
      id: 'coverage',
      label: 'In interval',
      title: 'Share of days that fell into the interval, in trials on past days',
      width: 96,
      value: (row) => row.coverage,
      cell: (row) => percent(row.coverage, 0),
      align: 'right',
      phone: 'none',
    },
  ];
}
