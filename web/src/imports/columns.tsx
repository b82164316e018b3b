import type { Column } from '#/table/types';
import { moment } from '#/ui/format';
import { StatePill, type States } from './states';

interface Known<S extends string> {
  fileName: string;
  state: S;
  createdAt: string;
  createdBy?: { name: string } | null;
}

/** The columns every table of imports has: the first, the state, the last two. */
export function batchColumns<S extends string, B extends Known<S>>(states: States<S>) {
  const file: Column<B> = {
    id: 'fileName',
    label: 'File',
    value: ({ fileName }) => fileName,
    primary: true,
    sortable: false,
  };
  const state: Column<B> = {
    id: 'state',
    label: 'State',
    value: (batch) => states[batch.state].label,
    cell: (batch) => <StatePill states={states} state={batch.state} />,
    width: 120,
    sortable: false,
    phone: 'end',
  };
  const uploaded: Column<B> = {
    id: 'createdAt',
    label: 'Uploaded',
    value: ({ createdAt }) => moment(createdAt),
    width: 160,
    muted: true,
    sortable: false,
    phone: 'none',
  };
  const by: Column<B> = {
    id: 'createdBy',
    label: 'By',
    value: ({ createdBy }) => createdBy?.name,
    width: 140,
    muted: true,
    sortable: false,
  };
  return { file, state, uploaded, by };
}

/** Shows a file's rows in its order, unfiltered. */
export const IN_FILE_ORDER = { q: '', sort: null, get: () => '', set: () => {} };
