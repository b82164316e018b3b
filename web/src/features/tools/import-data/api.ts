import { useQuery } from '@tanstack/react-query';
import { request } from '#/api/client';
import { queries } from '#/api/queries';
import type { Answer } from '#/table/sources';
import type { Batch, Mapping, Outcome, Row } from './types';

const BASE = '/api/tools/import-data';
/** The prefix of query keys about imports. */
export const KEY = ['import-data'] as const;

const of = (id: string) => ({ path: { id } });
const at = (id: string) => `${BASE}/batches/${encodeURIComponent(id)}`;

export const importApi = {
  lists: (signal?: AbortSignal) => request('GET', `${BASE}/lists`, { signal }),
  templateHref: (slug: string, format: 'csv' | 'xlsx') =>
    `${BASE}/lists/${encodeURIComponent(slug)}/template?format=${format}`,
  // A stream of bytes, up to 64 MiB: sent as it is, not as JSON.
  upload: (list: string, file: File) =>
    request('POST', `${BASE}/uploads`, { query: { list, fileName: file.name }, raw: file }),
  batches: (page: number, pageSize: number, signal?: AbortSignal) =>
    request('GET', `${BASE}/batches`, { query: { page, pageSize }, signal }),
  batch: (id: string, signal?: AbortSignal) =>
    request('GET', `${BASE}/batches/{id}`, { ...of(id), signal }),
  remove: async (id: string) => {
    await request('DELETE', `${BASE}/batches/{id}`, of(id));
  },
  map: (id: string, mapping: Mapping) =>
    request('PUT', `${BASE}/batches/{id}/mapping`, { ...of(id), json: mapping }),
  rows: (
    id: string,
    outcome: Outcome | undefined,
    page: number,
    pageSize: number,
    signal?: AbortSignal,
  ) =>
    request('GET', `${BASE}/batches/{id}/rows`, {
      ...of(id),
      query: { outcome, page, pageSize },
      signal,
    }) as Promise<unknown> as Promise<Answer<Row>>,
  commit: (id: string) => request('POST', `${BASE}/batches/{id}/commit`, of(id)),
  undo: (id: string) => request('POST', `${BASE}/batches/{id}/undo`, of(id)),
  errorsHref: (id: string, format: 'csv' | 'xlsx') => `${at(id)}/errors?format=${format}`,
};

/** The lists the user may import into. */
export function useImportLists() {
  return useQuery({
    queryKey: [...KEY, 'lists'],
    queryFn: ({ signal }) => importApi.lists(signal),
    // They change with the user's rights, and then everything is refetched.
    staleTime: 5 * 60_000,
  });
}

/** Caches a batch from a response. */
export function keep(batch: Batch): void {
  queries.setQueryData([...KEY, 'batch', batch.id], batch);
  void queries.invalidateQueries({ queryKey: [...KEY, 'batches'] });
}

/** Call after a step: cached rows are outdated. */
export function stepOver(): void {
  void queries.invalidateQueries({ queryKey: KEY });
}
