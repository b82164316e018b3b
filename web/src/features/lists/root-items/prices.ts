// What a root item costs, each price from a day on.
import { useQuery } from '@tanstack/react-query';
import { request } from '#/api/client';
import { queries } from '#/api/queries';
import type { components } from '#/api/schema.gen';

type Schemas = components['schemas'];
export type RootItemPrice = Schemas['RootItemPrice'];
export type RootItemPrices = Schemas['RootItemPrices'];
type PriceDraft = Schemas['RootItemPriceDraft'];

const LIST = ['lists', 'root-items'];
const BASE = '/api/lists/root-items/{id}/prices';

// The key starts like that of root items, whose changes refetch it.
export function useRootItemPrices(id: string) {
  return useQuery({
    queryKey: [...LIST, 'one', id, 'prices'],
    queryFn: ({ signal }) => request('GET', BASE, { path: { id }, signal }),
  });
}

const changed = () => queries.invalidateQueries({ queryKey: LIST });

export async function setPrice(id: string, from: string, json: PriceDraft) {
  try {
    return await request('PUT', `${BASE}/{from}`, { path: { id, from }, json });
  } finally {
    void changed();
  }
}

export async function removePrice(
  id: string,
  { from, revision }: RootItemPrice,
  { recompute, reason }: Pick<PriceDraft, 'recompute' | 'reason'>,
) {
  try {
    const query = { revision, recompute, ...(reason ? { reason } : {}) };
    return await request('DELETE', `${BASE}/{from}`, { path: { id, from }, query });
  } finally {
    void changed();
  }
}
