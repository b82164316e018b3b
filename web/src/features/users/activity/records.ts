// Requests and types of the history of all records.
import { request } from '#/api/client';
import type { Entry } from '#/history/api';

export interface RecordChange extends Entry {
  kind: string;
  kindLabel: string;
  recordId: string;
  recordName?: string | null;
  storeId?: string | null;
}

export interface RecordChanges {
  items: RecordChange[];
  total: number;
  /** The kinds of records the user may see. */
  kinds: { kind: string; label: string }[];
}

export const PAGE_SIZE = 50;

export type RecordsQuery = Record<string, string | undefined>;

export const recordsPage = (query: RecordsQuery, page: number, signal?: AbortSignal) =>
  request('GET', '/api/history', { query: { ...query, page, pageSize: PAGE_SIZE }, signal });

export const ACTIONS = [
  { value: 'created', label: 'Made' },
  { value: 'updated', label: 'Changed' },
  { value: 'deleted', label: 'Deleted' },
] as const;

export const ACTION_VERBS: Readonly<Record<string, string>> = {
  created: 'made',
  updated: 'changed',
  deleted: 'deleted',
};
