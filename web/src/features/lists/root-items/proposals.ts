// Prices that receipts of supplier goods propose for root items.
import { useQuery } from '@tanstack/react-query';
import { request } from '#/api/client';
import { queries } from '#/api/queries';
import type { components } from '#/api/schema.gen';

type Schemas = components['schemas'];
export type PriceProposal = Schemas['PriceProposal'];
export type Decided = Schemas['DecidedProposals'];

export const STATES = ['open', 'accepted', 'dismissed', 'withdrawn'] as const;
export type ProposalState = (typeof STATES)[number];

const BASE = '/api/lists/price-proposals';
const KEY = ['lists', 'price-proposals'];

export function useProposals(state: ProposalState) {
  return useQuery({
    queryKey: [...KEY, state],
    queryFn: ({ signal }) => request('GET', BASE, { query: { state, limit: 1000 }, signal }),
  });
}

const known = (rows: readonly PriceProposal[]) =>
  rows.map(({ id, revision }) => ({ id, revision }));

async function decide(step: 'accept' | 'dismiss', rows: readonly PriceProposal[]) {
  try {
    return await request('POST', `${BASE}/${step}`, { json: { items: known(rows) } });
  } finally {
    void queries.invalidateQueries({ queryKey: KEY });
    void queries.invalidateQueries({ queryKey: ['lists', 'root-items'] });
  }
}

export const accept = (rows: readonly PriceProposal[]) => decide('accept', rows);
export const dismiss = (rows: readonly PriceProposal[]) => decide('dismiss', rows);
