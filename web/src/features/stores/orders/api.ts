import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { request } from '#/api/client';
import { useNames } from '#/api/names';
import { documentApi } from '#/documents/api';
import { type Order, type OrderHead, orderDef } from '#/documents/orders';

export const ordersApi = documentApi<OrderHead, Order>(orderDef.base);

/** Everything a store can order; lines of `orderId` do not count as on order. */
export function useGuide(storeId: string, orderId: string) {
  return useQuery({
    queryKey: ['stores', 'orders', 'guide', storeId, orderId],
    queryFn: ({ signal }) =>
      request('GET', '/api/stores/orders/guide', {
        query: { storeId, orderId: orderId || undefined },
        signal,
      }),
    enabled: storeId !== '',
    staleTime: 60_000,
  });
}

export interface Place {
  type: string;
  id: string;
  name: string;
}

const KINDS = [
  ['commissary', 'commissaries', 'Commissaries'],
  ['warehouse', 'warehouses', 'Warehouses'],
  ['supplier', 'suppliers', 'Suppliers'],
] as const;

/** Where a store can order: commissaries, warehouses, suppliers. */
export function useSources() {
  const commissaries = useNames('commissaries').data;
  const warehouses = useNames('warehouses').data;
  const suppliers = useNames('suppliers').data;
  return useMemo(() => {
    const all = [commissaries, warehouses, suppliers];
    const groups = KINDS.map(([type, , group], i) => ({
      group,
      items: (all[i] ?? []).map(({ id, name }) => ({ value: `${type}:${id}`, label: name })),
    })).filter(({ items }) => items.length > 0);
    const nameOf = (type: string | null, id: string | null) => {
      const found = groups
        .flatMap(({ items }) => items)
        .find(({ value }) => value === `${type}:${id}`);
      return found?.label ?? '–';
    };
    return { groups, nameOf, first: groups[0]?.items[0]?.value ?? '' };
  }, [commissaries, warehouses, suppliers]);
}
