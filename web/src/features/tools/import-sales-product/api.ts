import { request } from '#/api/client';
import { queries } from '#/api/queries';
import type { Answer } from '#/table/sources';
import type {
  Batch,
  Coverage,
  Mapping,
  RowProblem,
  SalesDay,
  TerminalRow,
  UnknownItem,
  Unknowns,
} from './types';

const BASE = '/api/tools/import-sales-product';
const batch = (id: string) => `${BASE}/batches/${encodeURIComponent(id)}`;

export interface RangeQuery {
  from: string;
  to: string;
  storeIds?: readonly string[];
}

export interface Resolution {
  stores: { name: string; storeId?: string; create?: true }[];
  items: { key: string; posItemId?: string; create?: true }[];
}

export interface LineCorrection {
  lineNo: number;
  qty?: number;
  unitPrice?: number;
  discount?: number;
  posItemId?: string;
  remove?: true;
}

export const salesApi = {
  upload: (file: File) =>
    request<Batch>('POST', `${BASE}/uploads`, { query: { fileName: file.name }, raw: file }),
  batches: (page: number, pageSize: number, signal?: AbortSignal) =>
    request<Answer<Batch>>('GET', `${BASE}/batches`, { query: { page, pageSize }, signal }),
  batch: (id: string, signal?: AbortSignal) => request<Batch>('GET', batch(id), { signal }),
  remove: (id: string) => request<void>('DELETE', batch(id)),
  map: (id: string, mapping: Mapping) =>
    request<Batch>('PUT', `${batch(id)}/mapping`, { json: mapping }),
  problems: (id: string, page: number, pageSize: number, signal?: AbortSignal) =>
    request<Answer<RowProblem>>('GET', `${batch(id)}/problems`, {
      query: { page, pageSize },
      signal,
    }),
  problemsHref: (id: string) => `${batch(id)}/problems/export`,
  unknowns: (id: string, signal?: AbortSignal) =>
    request<Unknowns>('GET', `${batch(id)}/unknowns`, { signal }),
  resolve: (id: string, resolution: Resolution) =>
    request<Batch>('POST', `${batch(id)}/resolve`, { json: resolution }),
  post: (id: string, replace: boolean) =>
    request<Batch>('POST', `${batch(id)}/post`, { json: { replace } }),
  revert: (id: string) => request<Batch>('POST', `${batch(id)}/revert`),
  coverage: (query: RangeQuery, signal?: AbortSignal) =>
    request<Coverage>('GET', `${BASE}/coverage`, { query: { ...query }, signal }),
  terminals: (query: RangeQuery, signal?: AbortSignal) =>
    request<{ items: TerminalRow[] }>('GET', `${BASE}/terminal-summary`, {
      query: { ...query },
      signal,
    }),
  unmapped: (signal?: AbortSignal) =>
    request<{ items: UnknownItem[]; total: number; message: string }>('GET', `${BASE}/unmapped`, {
      signal,
    }),
  resolveUnmapped: (items: Resolution['items']) =>
    request<{ jobId: string }>('POST', `${BASE}/unmapped/resolve`, { json: { items } }),
  day: (storeId: string, date: string, signal?: AbortSignal) =>
    request<SalesDay>('GET', `${BASE}/days/${encodeURIComponent(storeId)}/${date}`, { signal }),
  correct: (
    storeId: string,
    date: string,
    source: string,
    revision: number,
    lines: LineCorrection[],
  ) =>
    request<SalesDay>('PATCH', `${BASE}/days/${encodeURIComponent(storeId)}/${date}/lines`, {
      json: { source, revision, lines },
    }),
};

/** What was posted has changed, and with it every report. */
export function salesChanged(): void {
  void queries.invalidateQueries({ queryKey: ['import-sales'] });
  void queries.invalidateQueries({ queryKey: ['reports'] });
}
