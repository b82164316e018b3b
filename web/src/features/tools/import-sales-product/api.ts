import { request } from '#/api/client';
import { queries } from '#/api/queries';
import type { components } from '#/api/schema.gen';
import type { Answer } from '#/table/sources';
import type { Batch, Mapping, OnExisting } from './types';

const BASE = '/api/tools/import-sales-product';

export interface RangeQuery {
  from: string;
  to: string;
  storeIds?: readonly string[];
}

export type Resolution = Required<components['schemas']['ResolveRequest']>;
export type LineCorrection = components['schemas']['CorrectLine'];

const of = (id: string) => ({ path: { id } });
const range = ({ from, to, storeIds }: RangeQuery) => ({
  query: { from, to, storeIds: storeIds?.join(',') || undefined },
});
// The contract allows any column name in a mapping; here they are our fields.
const batch = (call: Promise<components['schemas']['Batch']>) => call as Promise<Batch>;

export const salesApi = {
  // A stream of bytes, up to 64 MiB: sent as it is, not as JSON.
  upload: (file: File) =>
    request('POST', `${BASE}/uploads`, {
      query: { fileName: file.name },
      raw: file,
    }) as Promise<Batch>,
  uploadRoots: (file: File) =>
    request('POST', `${BASE}/root-item-qty/uploads`, {
      query: { fileName: file.name },
      raw: file,
    }) as Promise<Batch>,
  rootBatches: (page: number, pageSize: number, signal?: AbortSignal) =>
    request('GET', `${BASE}/root-item-qty/batches`, {
      query: { page, pageSize },
      signal,
    }) as Promise<Answer<Batch>>,
  batches: (page: number, pageSize: number, signal?: AbortSignal) =>
    request('GET', `${BASE}/batches`, { query: { page, pageSize }, signal }) as Promise<
      Answer<Batch>
    >,
  batch: (id: string, signal?: AbortSignal) =>
    batch(request('GET', `${BASE}/batches/{id}`, { ...of(id), signal })),
  remove: async (id: string) => {
    await request('DELETE', `${BASE}/batches/{id}`, of(id));
  },
  map: (id: string, mapping: Mapping) =>
    batch(
      request('PUT', `${BASE}/batches/{id}/mapping`, {
        ...of(id),
        json: mapping,
      }),
    ),
  problems: (id: string, page: number, pageSize: number, signal?: AbortSignal) =>
    request('GET', `${BASE}/batches/{id}/problems`, {
      ...of(id),
      query: { page, pageSize },
      signal,
    }),
  leftOut: (id: string, reason: string, page: number, pageSize: number, signal?: AbortSignal) =>
    request('GET', `${BASE}/batches/{id}/left-out`, {
      ...of(id),
      query: { reason, page, pageSize },
      signal,
    }),
  problemsHref: (id: string) => `${BASE}/batches/${encodeURIComponent(id)}/problems/export`,
  unknowns: (id: string, signal?: AbortSignal) =>
    request('GET', `${BASE}/batches/{id}/unknowns`, { ...of(id), signal }),
  resolve: (id: string, resolution: Resolution) =>
    batch(request('POST', `${BASE}/batches/{id}/resolve`, { ...of(id), json: resolution })),
  /** Without a choice the server refuses store-days that it has to ask about. */
  post: (id: string, onExisting?: OnExisting) =>
    batch(request('POST', `${BASE}/batches/{id}/post`, { ...of(id), json: { onExisting } })),
  revert: (id: string) => batch(request('POST', `${BASE}/batches/{id}/revert`, of(id))),
  coverage: (query: RangeQuery, signal?: AbortSignal) =>
    request('GET', `${BASE}/coverage`, { ...range(query), signal }),
  terminals: (query: RangeQuery, signal?: AbortSignal) =>
    request('GET', `${BASE}/terminal-summary`, { ...range(query), signal }),
  unmapped: (page: number, pageSize: number, signal?: AbortSignal) =>
    request('GET', `${BASE}/unmapped`, { query: { page, pageSize }, signal }),
  resolveUnmapped: (items: Resolution['items']) =>
    request('POST', `${BASE}/unmapped/resolve`, { json: { stores: [], items } }),
  day: (storeId: string, date: string, signal?: AbortSignal) =>
    request('GET', `${BASE}/days/{storeId}/{date}`, {
      path: { storeId, date },
      signal,
    }),
  correct: (
    storeId: string,
    date: string,
    source: string,
    revision: number,
    lines: LineCorrection[],
  ) =>
    request('PATCH', `${BASE}/days/{storeId}/{date}/lines`, {
      path: { storeId, date },
      json: { source, revision, lines },
    }),
};

/** Call after posting: every report is outdated. */
export function salesChanged(): void {
  void queries.invalidateQueries({ queryKey: ['import-sales'] });
  void queries.invalidateQueries({ queryKey: ['reports'] });
}
