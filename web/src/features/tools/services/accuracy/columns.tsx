import type { Column } from '#/table/types';
import { count, percent, qty } from '#/ui/format';
import type { Judged } from '../forecastApi';
import { againstLastWeek, leanLabel, methodLabel, near, offLabel } from '../measures';
import type { By } from './by';

export { BY, type By } from './by';

export type Row = Judged & { store: string; item: string };

/** A row's key; for a series its store and item. */
export const rowKey = ({ storeId, rootItemId, method }: Judged): string =>
  [storeId, rootItemId, method].filter(Boolean).join('/');

/** Forecasts against sales. `beside`: a chart leaves the table little room. */
export function columnsOf(by: By, beside: boolean): Column<Row>[] {
  const named: Column<Row> = {
    id: by,
    label: by === 'store' ? 'Store' : by === 'method' ? 'Method' : 'Root item',
    primary: true,
    sortable: false,
    value: (row) =>
      by === 'store' ? row.store : by === 'method' ? methodLabel(row.method) : row.item,
  };
  const store: Column<Row> = {
    id: 'inStore',
    label: 'Store',
    width: beside ? 126 : 190,
    sortable: false,
    value: (row) => row.store,
    phone: 'sub',
  };
  const off: Column<Row> = {
    id: 'wape',
    label: 'Off by',
    title: 'All misses together, as a share of what was sold (WAPE)',
    width: 84,
    value: (row) => row.wape,
    cell: (row) => <span title={offLabel(row.wape)}>{percent(row.wape)}</span>,
    align: 'right',
    phone: 'end',
  };
  const lean: Column<Row> = {
    id: 'bias',
    label: 'Leans',
    title: 'Whether more or less was forecast than sold, as a share of what was sold (bias)',
    width: 128,
    value: (row) => row.bias,
    cell: (row) => leanLabel(row.bias) || '–',
    align: 'right',
    phone: 'sub',
  };
  if (beside) return [named, store, off, lean];
  const inUnits = by === 'series' || by === 'item';
  return [
    named,
    ...(by === 'series' ? [store] : []),
    off,
    lean,
    {
      id: 'mase',
      label: 'Against last week',
      title: 'Compared with repeating the same weekday of the week before (MASE)',
      width: 150,
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
      title: 'Share of days within the interval that was forecast, usually meant for 80%',
      width: 100,
      value: (row) => row.coverage,
      cell: (row) => percent(row.coverage, 0),
      align: 'right',
      phone: 'none',
    },
    ...(inUnits
      ? ([
          {
            id: 'actual',
            label: 'Sold',
            width: 100,
            value: (row) => near(row.actual),
            number: qty,
            phone: 'none',
          },
          {
            id: 'forecast',
            label: 'Forecast',
            width: 100,
            value: (row) => near(row.forecast),
            number: qty,
            phone: 'none',
          },
        ] satisfies Column<Row>[])
      : []),
    {
      id: 'days',
      label: 'Days',
      title: 'Days compared; a day that several runs forecast counts for each',
      width: 76,
      value: (row) => row.days,
      number: count,
      phone: 'none',
    },
  ];
}
