import { queryOptions } from '@tanstack/react-query';
import { request } from '#/api/client';

/** The key of all queries of orders to kitchens; live events of orders and batches refresh it. */
export const KITCHEN_ORDERS = ['commissary', 'orders'] as const;

/** What stores ordered from a kitchen until a day, and its stock. */
export const kitchenOrdersQuery = (commissaryId: string, neededDate: string) =>
  queryOptions({
    queryKey: [...KITCHEN_ORDERS, commissaryId, neededDate],
    queryFn: ({ signal }) =>
      request('GET', '/api/commissary/orders', { query: { commissaryId, neededDate }, signal }),
  });
