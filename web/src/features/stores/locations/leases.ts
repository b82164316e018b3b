import { useQuery } from '@tanstack/react-query';
import { request } from '#/api/client';
import type { Body } from '#/api/operations';
import { queries } from '#/api/queries';
import type { components } from '#/api/schema.gen';

export type Lease = components['schemas']['Lease'];
export type LeaseDraft = Body<'POST', typeof BASE>;

const KEY = ['stores', 'leases'];
const BASE = '/api/stores/leases';

export const useLeases = (storeId: string) =>
  useQuery({
    queryKey: [...KEY, storeId],
    queryFn: ({ signal }) => request('GET', BASE, { query: { storeId }, signal }),
  });

async function changing<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } finally {
    void queries.invalidateQueries({ queryKey: KEY });
  }
}

export const saveLease = (id: string | null, draft: LeaseDraft) =>
  changing(
    id
      ? request('PATCH', `${BASE}/{id}`, { path: { id }, json: draft })
      : request('POST', BASE, { json: draft }),
  );

export const removeLease = (id: string) =>
  changing(request('DELETE', `${BASE}/{id}`, { path: { id } }));
