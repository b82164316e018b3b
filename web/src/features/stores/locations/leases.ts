import { useQuery } from '@tanstack/react-query';
import { request } from '#/api/client';
import { queries } from '#/api/queries';
import type { components } from '#/api/schema.gen';

export type Lease = components['schemas']['Lease'];
export type LeaseDraft = components['schemas']['LeaseDraft'];

const KEY = ['stores', 'leases'];
const BASE = '/api/stores/leases';

export const useLeases = (storeId: string) =>
  useQuery({
    queryKey: [...KEY, storeId],
    queryFn: ({ signal }) =>
      request<{ items: Lease[] }>('GET', BASE, { query: { storeId }, signal }),
  });

async function changing<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } finally {
    void queries.invalidateQueries({ queryKey: KEY });
  }
}

export const saveLease = (id: string | null, draft: unknown) =>
  changing(
    id
      ? request<Lease>('PATCH', `${BASE}/${encodeURIComponent(id)}`, { json: draft })
      : request<Lease>('POST', BASE, { json: draft }),
  );

export const removeLease = (id: string) =>
  changing(request<void>('DELETE', `${BASE}/${encodeURIComponent(id)}`));
