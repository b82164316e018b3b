// The trail of all records, as the server tells it.
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
  /** The kinds whose records whoever asks may see. */
  kinds: { kind: string; label: string }[];
}

export const PAGE = 50;

export type RecordsQuery = Record<string, string | undefined>;

export const recordsPage = (query: RecordsQuery, page: number, signal?: AbortSignal) =>
  request<RecordChanges>('GET', '/api/history', {
    query: { ...query, page, pageSize: PAGE },
    signal,
  });

export const ACTIONS = [
  { value: 'created', label: 'Made' },
  { value: 'updated', label: 'Changed' },
  { value: 'deleted', label: 'Deleted' },
] as const;

export const DEEDS: Readonly<Record<string, string>> = {
  created: 'made',
  updated: 'changed',
  deleted: 'deleted',
};

/** Entries under the day they happened on; `dayOf` puts it in words. */
export function byDay<T extends { at: string }>(
  items: readonly T[],
  dayOf: (at: string) => string,
): { day: string; items: T[] }[] {
  const days: { day: string; items: T[] }[] = [];
  for (const item of items) {
    const day = dayOf(item.at);
    const last = days.at(-1);
    if (last?.day === day) last.items.push(item);
    else days.push({ day, items: [item] });
  }
  return days;
}
