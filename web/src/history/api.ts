// Requests and types of a record's history.
import { requestAt } from '#/api/client';
import type { Saved } from '#/form/useRecordForm';

export interface Change {
  field: string;
  before: unknown;
  after: unknown;
}

export interface Entry {
  seq: number;
  at: string;
  by: { uid?: string | null; name?: string | null; email?: string | null };
  origin?: string | null;
  action: string;
  changes: Change[];
}

export interface HistoryPage {
  items: Entry[];
  total: number;
}

const at = (base: string, id: string) => `${base}/${encodeURIComponent(id)}`;

export const historyOf = (base: string, id: string, page: number, signal?: AbortSignal) =>
  requestAt<HistoryPage>('GET', `${at(base, id)}/history`, {
    query: { page, pageSize: 20 },
    signal,
  });

/** Restores the record as it was after an entry; `revision` null restores a deleted one. */
export const restore = (base: string, id: string, seq: number, revision: number | null) =>
  requestAt<Saved>('POST', `${at(base, id)}/restore`, { json: { seq, revision } });

export const currentOf = (base: string, id: string) => requestAt<Saved>('GET', at(base, id));
