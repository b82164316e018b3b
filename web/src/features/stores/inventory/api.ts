import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { request } from '#/api/client';
import type { components } from '#/api/schema.gen';
import { queryString } from '#/paths';
import type { Range } from '#/ui/dates';

const ROOT = '/api/stores/inventory';

export const KEY = ['stores', 'inventory'] as const;

export type By = 'items' | 'rootItems';

type Schemas = components['schemas'];
/** What lies in a store of one thing, and how it is known. */
export type OnHand = Schemas['InventoryRow'];
export type Inventory = Schemas['Inventory'];
export type CountCell = Schemas['GridCount'];
export type CountGrid = Schemas['CountGrid'];
export type Sheet = Schemas['CountSheet'];
/** How what lies there came about. */
export type Ledger = Schemas['InventoryLedger'];
export type LedgerDay = Schemas['LedgerDay'];
export type LedgerMovement = Schemas['LedgerMovement'];
export type LedgerSales = Schemas['LedgerSales'];
export type LedgerCount = Schemas['LedgerCount'];

/** More than any store counts. */
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

/** Of what, and which days; without any, since the count before the last one. */
export interface LedgerAsked {
  storeId: string;
  by: By;
  id: string;
  range: Range | null;
}

const ledgerQuery = ({ storeId, by, id, range }: LedgerAsked) => ({
  storeId,
  [by === 'items' ? 'itemId' : 'rootItemId']: id,
  from: range?.from,
  date: range?.to,
});

export function useLedger(asked: LedgerAsked) {
  const { storeId, by, id, range } = asked;
  return useQuery({
    queryKey: [...KEY, 'ledger', storeId, by, id, range],
    queryFn: ({ signal }) =>
      request<Ledger>('GET', `${ROOT}/ledger`, { query: ledgerQuery(asked), signal }),
    placeholderData: keepPreviousData,
    enabled: storeId !== '',
  });
}

export const ledgerHref = (asked: LedgerAsked) => (format: 'csv' | 'xlsx') =>
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
