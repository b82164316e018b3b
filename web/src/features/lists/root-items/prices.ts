// What a root item costs, each price from a day on.
import { useQuery } from '@tanstack/react-query';
import { requestAt } from '#/api/client';
import { queries } from '#/api/queries';

export interface RootItemPrice {
  /** The first day it holds for. */
  from: string;
  /** Whether it holds for all days before the next one. */
  fromStart: boolean;
  /** Null if the root item has no price from then on. */
  price: number | null;
  source: 'start' | 'set' | 'import' | 'receipt';
  receiptId?: string;
  receiptNo?: string;
  reason?: string;
  revision: number;
  updatedAt: string;
  updatedBy?: { name: string };
}

export interface RootItemPrices {
  /** Newest first. */
  items: RootItemPrice[];
  /** Mondays of the weekly snapshots that a change has made again. */
  weeks: string[];
}

export interface PriceDraft {
  price: number | null;
  revision: number | null;
  recompute: boolean;
  reason: string | null;
}

const LIST = ['lists', 'root-items'];
const base = (id: string) => `/api/lists/root-items/${encodeURIComponent(id)}/prices`;
const at = (id: string, from: string) => `${base(id)}/${encodeURIComponent(from)}`;

// The key starts like that of root items, whose changes refetch it.
export function useRootItemPrices(id: string) {
  return useQuery({
    queryKey: [...LIST, 'one', id, 'prices'],
    queryFn: ({ signal }) => requestAt<RootItemPrices>('GET', base(id), { signal }),
  });
}

const changed = () => queries.invalidateQueries({ queryKey: LIST });

export async function setPrice(id: string, from: string, json: PriceDraft) {
  try {
    return await requestAt<RootItemPrices>('PUT', at(id, from), { json });
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
    return await requestAt<RootItemPrices>('DELETE', at(id, from), { query });
  } finally {
    void changed();
  }
}
