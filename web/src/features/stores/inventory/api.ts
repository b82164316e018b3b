import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { request } from '#/api/client';
import type { components } from '#/api/schema.gen';
import { queryString } from '#/paths';
import type { Range } from '#/ui/dates';

const ROOT = '/api/stores/inventory';

export const KEY = ['stores', 'inventory'] as const;

export type By = 'items' | 'rootItems';

type Schemas = components['schemas'];
/** One item's stock in a store, with the count it is based on. */
export type OnHand = Schemas['InventoryRow'];
export type Inventory = Schemas['Inventory'];
export type CountCell = Schemas['GridCount'];
export type CountGrid = Schemas['CountGrid'];
export type Sheet = Schemas['CountSheet'];
/** The movements behind an item's stock. */
export type Ledger = Schemas['InventoryLedger'];
export type LedgerDay = Schemas['LedgerDay'];
export type LedgerMovement = Schemas['LedgerMovement'];
export type LedgerSales = Schemas['LedgerSales'];
export type LedgerCount = Schemas['LedgerCount'];

/** A page size above the number of items any store counts. */
const ALL = 5000;

export function useInventory(storeId: string, by: By) {
  return useQuery({
    queryKey: [...KEY, 'rows', storeId, by],
    queryFn: ({ signal }) =>
      request<Inventory>('GET', ROOT, { query: { storeId, by, pageSize: ALL }, signal }),
    placeholderData: keepPreviousData,
    enabled: storeId !== '',
  });
}

export function useGrid(storeId: string, start: string, end: string) {
  return useQuery({
    queryKey: [...KEY, 'grid', storeId, start, end],
    queryFn: ({ signal }) =>
      request<CountGrid>('GET', `${ROOT}/grid`, { query: { storeId, start, end }, signal }),
    placeholderData: keepPreviousData,
    enabled: storeId !== '',
  });
}

/** The item and the days; without days, since the count before the last one. */
export interface LedgerQuery {
  storeId: string;
  by: By;
  id: string;
  range: Range | null;
}

const ledgerQuery = ({ storeId, by, id, range }: LedgerQuery) => ({
  storeId,
  [by === 'items' ? 'itemId' : 'rootItemId']: id,
  from: range?.from,
  date: range?.to,
});

export function useLedger(asked: LedgerQuery) {
  const { storeId, by, id, range } = asked;
  return useQuery({
    queryKey: [...KEY, 'ledger', storeId, by, id, range],
    queryFn: ({ signal }) =>
      request<Ledger>('GET', `${ROOT}/ledger`, { query: ledgerQuery(asked), signal }),
    placeholderData: keepPreviousData,
    enabled: storeId !== '',
  });
}

export const ledgerHref = (asked: LedgerQuery) => (format: 'csv' | 'xlsx') =>
  `${ROOT}/ledger/export${queryString({ ...ledgerQuery(asked), format })}`;

export function useSheet(storeId: string) {
  return useQuery({
    queryKey: [...KEY, 'sheet', storeId],
    queryFn: ({ signal }) => request<Sheet>('GET', `${ROOT}/sheet`, { query: { storeId }, signal }),
    enabled: storeId !== '',
  });
}

export const exportHref = (storeId: string, by: By) => (format: 'csv' | 'xlsx') =>
  `${ROOT}/export${queryString({ storeId, by, format })}`;
