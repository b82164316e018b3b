import { IconClipboardCheck } from '@tabler/icons-react';
import { useNamesOf } from '#/api/names';
import type { components } from '#/api/schema.gen';
import { to } from '#/paths';
import { documentApi } from './api';
import type { DocumentDef } from './types';

export type StockTakeHead = components['schemas']['StockTakeHead'];
export type StockTake = components['schemas']['StockTake'];
export type StockTakeLine = components['schemas']['StockTakeLine'];
export type Differences = components['schemas']['StockTakeDifferences'];

/** Lists with the names of places, by kind. */
const PLACES: Readonly<Record<string, string>> = {
  commissary: 'commissaries',
  warehouse: 'warehouses',
  coldStorage: 'cold-storages',
};
const NAMES = Object.values(PLACES);

/** The name of the place that is counted. */
export function usePlaceName({ sourceType, sourceId }: StockTakeHead): string {
  const nameOf = useNamesOf(NAMES);
  return nameOf(PLACES[sourceType ?? ''] ?? '', sourceId) ?? '';
}

function PlaceName({ head }: { head: StockTakeHead }) {
  return usePlaceName(head);
}

export const stockTakeDef: DocumentDef<StockTakeHead> = {
  kind: 'stockTake',
  word: 'Stock-take',
  ofKitchens: true,
  key: ['commissary', 'stock-takes'],
  base: '/api/commissary/stock-takes',
  one: 'stock-take',
  many: 'stock-takes',
  title: 'Stock-takes',
  page: 'commissary/orders',
  icon: IconClipboardCheck,
  number: ({ takeNo }) => takeNo,
  date: ({ businessDate }) => businessDate,
  dateLabel: 'Counted on',
  href: (id) => to('commissaryStockTake', { id }),
  priced: true,
  states: {
    draft: { label: 'Not started', tone: 'neutral' },
    counting: { label: 'Counting', tone: 'warn' },
    posted: { label: 'Posted', tone: 'ok' },
    reversed: { label: 'Reversed', tone: 'neutral' },
    cancelled: { label: 'Cancelled', tone: 'neutral' },
  },
  steps: {
    start: { label: 'Start counting', done: 'Started' },
    post: {
      label: 'Post differences',
      done: 'Posted',
      reason: 'offered',
      asks: 'The stock becomes what was counted, with what moved since. Lines that were not counted stay as they are.',
    },
    reverse: {
      label: 'Reverse stock-take',
      done: 'Reversed',
      reason: 'needed',
      danger: true,
      asks: 'The differences leave the stock again.',
    },
    cancel: {
      label: 'Cancel stock-take',
      done: 'Cancelled',
      danger: true,
      asks: 'No stock changes. The numbers stay in the list as cancelled.',
    },
  },
  columns: [
    {
      id: 'place',
      label: 'Place',
      width: 220,
      sortable: false,
      phone: 'sub',
      value: ({ sourceId }) => sourceId,
      cell: (head) => <PlaceName head={head} />,
    },
    {
      id: 'area',
      label: 'Area',
      width: 150,
      sortable: false,
      phone: 'sub',
      value: ({ area }) => area ?? 'All',
    },
  ],
  empty: {
    title: 'No stock-takes yet',
    text: 'Count a kitchen, a warehouse or a cold storage, and post the differences, so that the stock is right again.',
  },
};

export const stockTakesApi = documentApi<StockTakeHead, StockTake>(stockTakeDef.base);
