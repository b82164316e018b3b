import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { request } from '#/api/client';
import type { components } from '#/api/schema.gen';
import { queryString } from '#/paths';
import type { By } from '#/stock/ledger/api';

const ROOT = '/api/stores/inventory';

export const KEY = ['stores', 'inventory'] as const;

type Schemas = components['schemas'];
/** One item's stock in a store, with the count it is based on. */
export type OnHand = Schemas['InventoryRow'];
export type Inventory = Schemas['Inventory'];
export type CountCell = Schemas['GridCount'];
export type CountGrid = Schemas['CountGrid'];
export type Sheet = Schemas['CountSheet'];

/** A page size above the number of items any store counts. */
const ALL = 5000;

export function useInventory(storeId: string, by: By) {
  return useQuery({
    queryKey: [...KEY, 'rows', storeId, by],
    queryFn: ({ signal }) =>
      request('GET', ROOT, { query: { storeId, by, pageSize: ALL }, signal }),
    placeholderData: keepPreviousData,
    enabled: storeId !== '',
  });
}

export function useGrid(storeId: string, start: string, end: string) {
  return useQuery({
    queryKey: [...KEY, 'grid', storeId, start, end],
    queryFn: ({ signal }) =>
      request('GET', `${ROOT}/grid`, { query: { storeId, start, end }, signal }),
    placeholderData: keepPreviousData,
    enabled: storeId !== '',
  });
}

export function useSheet(storeId: string) {
  return useQuery({
    queryKey: [...KEY, 'sheet', storeId],
    queryFn: ({ signal }) => request('GET', `${ROOT}/sheet`, { query: { storeId }, signal }),
    enabled: storeId !== '',
  });
}

export const exportHref = (storeId: string, by: By) => (format: 'csv' | 'xlsx') =>
  `${ROOT}/export${queryString({ storeId, by, format })}`;
