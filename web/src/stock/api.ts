// Lots and stock in transit, from the server.
import { useQuery } from '@tanstack/react-query';
import { request } from '#/api/client';
import type { components } from '#/api/schema.gen';
import { useCan } from '#/api/session';

export type LotItem = components['schemas']['LotItem'];
export type LotPlace = components['schemas']['LotPlace'];
export type LotTrace = components['schemas']['LotTrace'];
export type TracedLot = components['schemas']['TracedLot'];
export type TraceEvent = components['schemas']['TraceEvent'];
export type Recall = components['schemas']['Recall'];
export type InTransitItem = components['schemas']['InTransitItem'];

/** The permission to see lots, and the right to recall them. */
export const LOTS_PAGE = 'products/products';
export const RECALL = ['commissary/orders', 'approve'] as const;
/** The permission to see recalls and stock in transit. */
export const RECEIVING = 'stores/storeReceive';

/** Live events of lots refresh queries below this key. */
export const LOTS = ['stock', 'lots'] as const;

/** All recalled lots of a store, or of all the user's stores, page by page. */
export async function askRecalls(storeId: string, signal?: AbortSignal) {
  const items: Recall[] = [];
  for (let page = 1; ; page += 1) {
    const query = { ...(storeId ? { storeId } : {}), page };
    const found = await request('GET', '/api/stock/recalls', { query, signal });
    items.push(...found.items);
    if (found.items.length === 0 || items.length >= found.total) return { items };
  }
}

/** Recalled lots in a store, or in all places that the user sees. */
export function useRecalls(storeId: string) {
  const receives = useCan(RECEIVING);
  const changes = useCan(RECALL[0], 'edit');
  const recalls = useCan(...RECALL);
  const may = receives || changes || recalls;
  return useQuery({
    queryKey: ['stock', 'recalls', storeId],
    queryFn: ({ signal }) => askRecalls(storeId, signal),
    enabled: may,
  });
}

/** Stock in transit. Deliveries, transfers and receipts change it, and all refresh this key. */
export function useInTransit(storeId: string) {
  return useQuery({
    queryKey: ['stores', 'receive', 'in-transit', storeId],
    queryFn: ({ signal }) =>
      request('GET', '/api/stock/in-transit', { query: storeId ? { storeId } : {}, signal }),
  });
}
