// Lots and what is on its way, as the server tells them.
import { useQuery } from '@tanstack/react-query';
import { api, body } from '#/api/client';
import type { components } from '#/api/schema.gen';
import { useCan } from '#/api/session';

export type LotItem = components['schemas']['LotItem'];
export type LotPlace = components['schemas']['LotPlace'];
export type LotTrace = components['schemas']['LotTrace'];
export type TracedLot = components['schemas']['TracedLot'];
export type TraceEvent = components['schemas']['TraceEvent'];
export type Recall = components['schemas']['Recall'];
export type InTransitItem = components['schemas']['InTransitItem'];

/** Who sees lots, and who may recall them. */
export const LOTS_PAGE = 'products/products';
export const RECALL = ['commissary/orders', 'approve'] as const;
/** Recalls and what is on its way are told to whoever receives. */
export const RECEIVING = 'stores/storeReceive';

/** Lots refresh with the live events of lots. */
export const LOTS = ['stock', 'lots'] as const;

/** All recalled lots at a store, or at all stores within reach: page by page. */
export async function askRecalls(storeId: string, signal?: AbortSignal) {
  const items: Recall[] = [];
  for (let page = 1; ; page += 1) {
    const query = { ...(storeId ? { storeId } : {}), page };
    const found = await body(api.GET('/api/stock/recalls', { params: { query }, signal }));
    items.push(...found.items);
    if (found.items.length === 0 || items.length >= found.total) return { items };
  }
}

/** Recalled lots that lie in a store, or in all stores within reach. */
export function useRecalls(storeId: string) {
  const may = useCan(RECEIVING);
  return useQuery({
    queryKey: ['stock', 'recalls', storeId],
    queryFn: ({ signal }) => askRecalls(storeId, signal),
    enabled: may,
  });
}

/** What is on its way. It changes with deliveries, transfers and receipts, all of which refresh this key. */
export function useInTransit(storeId: string) {
  return useQuery({
    queryKey: ['stores', 'receive', 'in-transit', storeId],
    queryFn: ({ signal }) =>
      body(
        api.GET('/api/stock/in-transit', {
          params: { query: storeId ? { storeId } : {} },
          signal,
        }),
      ),
  });
}
