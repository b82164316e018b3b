import { useQuery } from '@tanstack/react-query';
import { requestAt } from '#/api/client';

export type SetupKey =
  | 'priceLevel'
  | 'source'
  | 'deliveryDays'
  | 'products'
  | 'items'
  | 'openingDays'
  | 'tills'
  | 'people';

export type StoreWork = 'order' | 'count' | 'sell';

export interface SetupItem {
  key: SetupKey;
  done: boolean;
  /** What the store cannot do without it; empty if it has a default that works. */
  neededFor: StoreWork[];
}

export const SETUP = ['stores', 'setup'];

/** What a store still needs. Asked for again whenever its page is opened or returned to. */
export function useStoreSetup(storeId: string) {
  return useQuery({
    queryKey: [...SETUP, storeId],
    queryFn: async ({ signal }) => {
      const path = `/api/stores/setup/${encodeURIComponent(storeId)}`;
      const { items } = await requestAt<{ items: SetupItem[] }>('GET', path, { signal });
      return items;
    },
    staleTime: 0,
  });
}
