// Columns that the tables of sales imports share.
import { batchColumns } from '#/imports/columns';
import type { Column } from '#/table/types';
import { count, day } from '#/ui/format';
import { stateOf } from './states';
import type { Batch } from './types';

export const { file, state, uploaded, by } = batchColumns<Batch['state'], Batch>(stateOf);

export const lines: Column<Batch> = {
  id: 'lines',
  label: 'Lines',
  value: ({ summary }) => summary?.goodLines,
  number: count,
  width: 100,
  sortable: false,
};

export const period: Column<Batch> = {
  id: 'period',
  label: 'Days',
  value: ({ summary }) =>
    summary?.firstDay ? `${day(summary.firstDay)} – ${day(summary.lastDay)}` : null,
  width: 210,
  sortable: false,
  phone: 'sub',
};
