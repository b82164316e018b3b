import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { request } from '#/api/client';
import type { components } from '#/api/schema.gen';
import { KITCHEN_ORDERS, kitchenOrdersQuery } from '#/documents/kitchenOrders';

export type Store = components['schemas']['MatrixStore'];
export type Orders = components['schemas']['CommissaryOrders'];
export type Product = components['schemas']['MatrixProduct'];
export type Cell = components['schemas']['MatrixCell'];
export type SharedOut = components['schemas']['SharedOut'];
export type SharedProduct = components['schemas']['SharedProduct'];
export type SharedLine = components['schemas']['SharedLine'];
export type ShareBody = components['schemas']['ShareOrders'];
export type ProductionList = components['schemas']['ProductionList'];
export type ToMake = components['schemas']['ToMake'];
export type Ingredient = components['schemas']['Ingredient'];
export type NotMade = components['schemas']['NotMade'];
export type ShortLine = components['schemas']['ShortOrderLine'];
export type MadeDelivery = components['schemas']['MadeDelivery'];

/** The page whose permissions apply. */
export const PAGE = 'commissary/orders';

export function useOrders(commissaryId: string, neededDate: string) {
  return useQuery({
    ...kitchenOrdersQuery(commissaryId, neededDate),
    enabled: commissaryId !== '',
    placeholderData: keepPreviousData,
  });
}

/** What the kitchen has to make for them. */
export function useProductionList(commissaryId: string, neededDate: string) {
  return useQuery({
    queryKey: [...KITCHEN_ORDERS, 'production', commissaryId, neededDate],
    queryFn: ({ signal }) =>
      request('GET', '/api/commissary/orders/production', {
        query: { commissaryId, neededDate },
        signal,
      }),
    enabled: commissaryId !== '',
  });
}

/** Approved order lines that kitchens leave short, of all kitchens and days. */
export function useShortLines() {
  return useQuery({
    queryKey: [...KITCHEN_ORDERS, 'short'],
    queryFn: ({ signal }) => request('GET', '/api/commissary/orders/short', { signal }),
    select: ({ items }) => items,
  });
}
