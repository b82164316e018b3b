// Prices that receipts of supplier goods propose for root items.
import { useQuery } from '@tanstack/react-query';
import { requestAt } from '#/api/client';
import { queries } from '#/api/queries';

export const STATES = ['open', 'accepted', 'dismissed', 'withdrawn'] as const;
export type ProposalState = (typeof STATES)[number];

export interface PriceProposal {
  id: string;
  rootItemId: string;
  rootItemName: string | null;
  productId: string;
  productName: string | null;
  receiptId: string;
  receiptNo: string | null;
  storeId: string | null;
  supplierId: string | null;
  /** The receipt's business date. */
  onDate: string;
  /** What the supplier charges for one of `uomCode`. */
  unitPrice: number | null;
  uomCode: string | null;
  /** Of a unit of the root item. */
  price: number;
  /** The root item's price in force on that day. */
  priceThen: number | null;
  /** The day from which it counts once accepted, and why. */
  from: string;
  since: 'receipt' | 'frozen' | 'setLater';
  state: ProposalState;
  revision: number;
  updatedAt: string;
  updatedBy: { name: string };
}

export interface Decided {
  decided: number;
  /** Mondays of the weekly snapshots that are made again. */
  weeks: string[];
}

const BASE = '/api/lists/price-proposals';
const KEY = ['lists', 'price-proposals'];

export function useProposals(state: ProposalState) {
  return useQuery({
    queryKey: [...KEY, state],
    queryFn: ({ signal }) =>
      requestAt<{ items: PriceProposal[]; total: number }>('GET', BASE, {
        query: { state, limit: 1000 },
        signal,
      }),
  });
}

const known = (rows: readonly PriceProposal[]) =>
  rows.map(({ id, revision }) => ({ id, revision }));

async function decide(step: 'accept' | 'dismiss', rows: readonly PriceProposal[]) {
  try {
    return await requestAt<Decided>('POST', `${BASE}/${step}`, { json: { items: known(rows) } });
  } finally {
    void queries.invalidateQueries({ queryKey: KEY });
    void queries.invalidateQueries({ queryKey: ['lists', 'root-items'] });
  }
}

export const accept = (rows: readonly PriceProposal[]) => decide('accept', rows);
export const dismiss = (rows: readonly PriceProposal[]) => decide('dismiss', rows);
