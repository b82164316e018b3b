import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { request } from '#/api/client';
import type { components } from '#/api/schema.gen';
import { queryString } from '#/paths';
import type { Range } from '#/ui/dates';

const ROOT = '/api/stores/inventory';
const KEY = ['stores', 'inventory'] as const;

export type By = 'items' | 'rootItems';

type Schemas = components['schemas'];
/** The movements behind an item's stock. */
export type Ledger = Schemas['InventoryLedger'];
export type LedgerDay = Schemas['LedgerDay'];
export type LedgerMovement = Schemas['LedgerMovement'];
export type LedgerSales = Schemas['LedgerSales'];
export type LedgerCount = Schemas['LedgerCount'];

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
      request('GET', `${ROOT}/ledger`, { query: ledgerQuery(asked), signal }),
    placeholderData: keepPreviousData,
    enabled: storeId !== '',
  });
}

export const ledgerHref = (asked: LedgerQuery) => (format: 'csv' | 'xlsx') =>
  `${ROOT}/ledger/export${queryString({ ...ledgerQuery(asked), format })}`;
