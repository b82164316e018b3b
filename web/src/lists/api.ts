import { requestAt } from '#/api/client';
import { isAnswerable, queries } from '#/api/queries';
import type { Wire } from '#/form/types';
import type { Saved } from '#/form/useRecordForm';
import { queryString } from '#/paths';
import type { Answer } from '#/table/sources';

export { useNamesOf } from '#/api/names';

type Query = Record<string, string | number | undefined>;

/** A number of records of one kind. */
export interface Count {
  kind: string;
  label: string;
  count: number;
}

export interface Merged<T> {
  record: T;
  moved: Count[];
}

/** A record that a bulk change did not change, and why. */
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

/** A position in a tree: the parent, and the next sibling (null: last). */
export interface TreePosition {
  parentId: string | null;
  before: string | null;
}

/** The requests that every list serves under its own path. */
export function listApi<T extends Saved>(base: string) {
  const at = (id: string) => `${base}/${encodeURIComponent(id)}`;
  return {
    base,
    all: (query: Query, signal?: AbortSignal) =>
      requestAt<Answer<T>>('GET', base, { query: { ...query, pageSize: 'all' }, signal }),
    page: (query: Query, signal?: AbortSignal) =>
      requestAt<Answer<T>>('GET', base, { query, signal }),
    get: (id: string, signal?: AbortSignal) => requestAt<T>('GET', at(id), { signal }),
    create: (fields: Wire) => requestAt<T>('POST', base, { json: fields }),
    update: (id: string, revision: number, changed: Wire) =>
      requestAt<T>('PATCH', at(id), { json: { ...changed, revision } }),
    remove: (id: string) => requestAt<void>('DELETE', at(id)),
    merge: (id: string, revision: number, into: string, intoRevision: number) =>
      requestAt<Merged<T>>('POST', `${at(id)}/merge`, { json: { into, revision, intoRevision } }),
    move: (id: string, revision: number, place: TreePosition) =>
      requestAt<T>('POST', `${at(id)}/move`, { json: { ...place, revision } }),
    bulk: (records: readonly { id: string; revision: number }[], change: Wire) =>
      requestAt<BulkOutcome<T>>('POST', `${base}/bulk`, { json: { records, change } }),
    /** Undoes the last change; `revision` null restores a deleted record. */
    undo: (id: string, revision: number | null) =>
      requestAt<T | undefined>('POST', `${at(id)}/undo`, { json: { revision } }),
    exportHref: (format: string, query: Query) =>
      `${base}/export${queryString({ format, ...query })}`,
  };
}

export type ListApi<T extends Saved> = ReturnType<typeof listApi<T>>;

/** Refetches everything that shows this list or its names, except the queries of a deleted record. */
export function invalidateList(slug: string, gone?: string): void {
  const without = new Set(gone ? [gone] : []);
  void queries.invalidateQueries({
    queryKey: ['lists', slug],
    predicate: ({ queryKey }) => isAnswerable(queryKey, without),
  });
  void queries.invalidateQueries({ queryKey: ['lists', 'hub'] });
  void queries.invalidateQueries({ queryKey: ['names', slug] });
  void queries.invalidateQueries({ queryKey: ['history'] });
}
