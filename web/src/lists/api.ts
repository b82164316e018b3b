import { request } from '#/api/client';
import { answerable, queries } from '#/api/queries';
import type { Wire } from '#/form/types';
import type { Saved } from '#/form/useRecordForm';
import { queryString } from '#/paths';
import type { Answer } from '#/table/sources';

export { useNamesOf } from '#/api/names';

type Query = Record<string, string | number | undefined>;

/** How many things of a kind. */
export interface Count {
  kind: string;
  label: string;
  count: number;
}

export interface Merged<T> {
  record: T;
  moved: Count[];
}

/** A record that a change of many left as it was, and why. */
export interface Failure {
  id: string;
  code: string;
  detail: string;
  fields?: readonly { field: string; message: string }[];
}

export interface BulkOutcome<T> {
  done: T[];
  failed: Failure[];
}

/** Where a record of a tree goes: below which, and before which of its siblings (null: last). */
export interface Place {
  parentId: string | null;
  before: string | null;
}

/** The calls that every list answers, at its own address. */
export function listApi<T extends Saved>(base: string) {
  const at = (id: string) => `${base}/${encodeURIComponent(id)}`;
  return {
    base,
    all: (query: Query, signal?: AbortSignal) =>
      request<Answer<T>>('GET', base, { query: { ...query, pageSize: 'all' }, signal }),
    page: (query: Query, signal?: AbortSignal) =>
      request<Answer<T>>('GET', base, { query, signal }),
    get: (id: string, signal?: AbortSignal) => request<T>('GET', at(id), { signal }),
    create: (fields: Wire) => request<T>('POST', base, { json: fields }),
    update: (id: string, revision: number, changed: Wire) =>
      request<T>('PATCH', at(id), { json: { ...changed, revision } }),
    remove: (id: string) => request<void>('DELETE', at(id)),
    merge: (id: string, revision: number, into: string, intoRevision: number) =>
      request<Merged<T>>('POST', `${at(id)}/merge`, { json: { into, revision, intoRevision } }),
    move: (id: string, revision: number, place: Place) =>
      request<T>('POST', `${at(id)}/move`, { json: { ...place, revision } }),
    bulk: (records: readonly { id: string; revision: number }[], change: Wire) =>
      request<BulkOutcome<T>>('POST', `${base}/bulk`, { json: { records, change } }),
    /** Takes back the last change; `revision` null stands for a record that was deleted. */
    undo: (id: string, revision: number | null) =>
      request<T | undefined>('POST', `${at(id)}/undo`, { json: { revision } }),
    exportHref: (format: string, query: Query) =>
      `${base}/export${queryString({ format, ...query })}`,
  };
}

export type ListApi<T extends Saved> = ReturnType<typeof listApi<T>>;

/** Everything that shows this list or its names asks again, but not for a record that is gone. */
export function listChanged(slug: string, gone?: string): void {
  const without = new Set(gone ? [gone] : []);
  void queries.invalidateQueries({
    queryKey: ['lists', slug],
    predicate: ({ queryKey }) => answerable(queryKey, without),
  });
  void queries.invalidateQueries({ queryKey: ['lists', 'hub'] });
  void queries.invalidateQueries({ queryKey: ['names', slug] });
  void queries.invalidateQueries({ queryKey: ['history'] });
}
