import { api, body, request } from '#/api/client';
import { queries } from '#/api/queries';
import type { components } from '#/api/schema.gen';
import type { Answer } from '#/table/sources';
import type { Batch, Mapping, RowProblem, SalesDay } from './types';

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
const batch = (call: Promise<{ data?: components['schemas']['Batch'] }>) =>
  body(call) as Promise<Batch>;

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
    body(
      api.GET(`${BASE}/root-item-qty/batches`, { params: { query: { page, pageSize } }, signal }),
    ) as Promise<Answer<Batch>>,
  batches: (page: number, pageSize: number, signal?: AbortSignal) =>
    body(api.GET(`${BASE}/batches`, { params: { query: { page, pageSize } }, signal })) as Promise<
      Answer<Batch>
    >,
  batch: (id: string, signal?: AbortSignal) =>
    batch(api.GET(`${BASE}/batches/{id}`, { params: of(id), signal })),
  remove: async (id: string) => {
    await api.DELETE(`${BASE}/batches/{id}`, { params: of(id) });
  },
  map: (id: string, mapping: Mapping) =>
    batch(
      api.PUT(`${BASE}/batches/{id}/mapping`, {
        params: of(id),
        body: mapping as components['schemas']['Mapping'],
      }),
    ),
  problems: (id: string, page: number, pageSize: number, signal?: AbortSignal) =>
    body(
      api.GET(`${BASE}/batches/{id}/problems`, {
        params: { ...of(id), query: { page, pageSize } },
        signal,
      }),
    ) as Promise<unknown> as Promise<Answer<RowProblem>>,
  problemsHref: (id: string) => `${BASE}/batches/${encodeURIComponent(id)}/problems/export`,
  unknowns: (id: string, signal?: AbortSignal) =>
    body(api.GET(`${BASE}/batches/{id}/unknowns`, { params: of(id), signal })),
  resolve: (id: string, resolution: Resolution) =>
    batch(api.POST(`${BASE}/batches/{id}/resolve`, { params: of(id), body: resolution })),
  post: (id: string, replace: boolean) =>
    batch(api.POST(`${BASE}/batches/{id}/post`, { params: of(id), body: { replace } })),
  revert: (id: string) => batch(api.POST(`${BASE}/batches/{id}/revert`, { params: of(id) })),
  coverage: (query: RangeQuery, signal?: AbortSignal) =>
    body(api.GET(`${BASE}/coverage`, { params: range(query), signal })),
  terminals: (query: RangeQuery, signal?: AbortSignal) =>
    body(api.GET(`${BASE}/terminal-summary`, { params: range(query), signal })),
  unmapped: (page: number, pageSize: number, signal?: AbortSignal) =>
    body(api.GET(`${BASE}/unmapped`, { params: { query: { page, pageSize } }, signal })),
  resolveUnmapped: (items: Resolution['items']) =>
    body(api.POST(`${BASE}/unmapped/resolve`, { body: { stores: [], items } })),
  day: (storeId: string, date: string, signal?: AbortSignal) =>
    body(
      api.GET(`${BASE}/days/{storeId}/{date}`, { params: { path: { storeId, date } }, signal }),
    ) as Promise<unknown> as Promise<SalesDay>,
  correct: (
    storeId: string,
    date: string,
    source: string,
    revision: number,
    lines: LineCorrection[],
  ) =>
    body(
      api.PATCH(`${BASE}/days/{storeId}/{date}/lines`, {
        params: { path: { storeId, date } },
        body: { source, revision, lines },
      }),
    ) as Promise<unknown> as Promise<SalesDay>,
};

/** Call after posting: every report is outdated. */
export function salesChanged(): void {
  void queries.invalidateQueries({ queryKey: ['import-sales'] });
  void queries.invalidateQueries({ queryKey: ['reports'] });
}
