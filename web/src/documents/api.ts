import { useMutation, useQuery } from '@tanstack/react-query';
import { useRef } from 'react';
import { requestAt } from '#/api/client';
import { Problem } from '#/api/problem';
import { queries } from '#/api/queries';
import { queryString } from '#/paths';
import { withClock } from './clock';
import type { DocumentDef, DocumentHead, DocumentPageAnswer } from './types';

type Query = Record<string, string | number | undefined>;

/** The body of a step. */
export interface StepBody {
  reason?: string;
  override?: boolean;
  /** When goods came or left. */
  happenedAt?: string;
  /** Takes more from a store than is expected there, or takes a recalled lot in. */
  anyway?: boolean;
  lines?: readonly Record<string, unknown>[];
}

/** The server's largest page. */
const PAGE_SIZE = 200;

/** The requests every document type serves under its own path. */
export function documentApi<H extends DocumentHead, D extends H>(base: string) {
  const at = (id: string) => `${base}/${encodeURIComponent(id)}`;
  const page = (query: Query, signal?: AbortSignal) =>
    requestAt<DocumentPageAnswer<H>>('GET', base, { query, signal });
  return {
    page,
    /** All matches, page by page; for tasks, of which none may be missing. */
    all: async (query: Query, signal?: AbortSignal): Promise<H[]> => {
      const items: H[] = [];
      for (let number = 1; ; number += 1) {
        const answer = await page({ ...query, page: number, pageSize: PAGE_SIZE }, signal);
        items.push(...answer.items);
        if (items.length >= answer.total || answer.items.length === 0) return items;
      }
    },
    get: (id: string, signal?: AbortSignal) => requestAt<D>('GET', at(id), { signal }),
    create: (draft: unknown, retryKey?: string) =>
      requestAt<D>('POST', base, { json: draft, retryKey }),
    update: (id: string, revision: number, changed: object) =>
      requestAt<D>('PATCH', at(id), { json: { ...changed, revision } }),
    step: (id: string, step: string, revision: number, body: StepBody = {}, retryKey?: string) =>
      requestAt<D>('POST', `${at(id)}/${step}`, {
        json: { ...withClock(body), revision },
        retryKey,
      }),
    exportHref: (format: string, query: Query) =>
      `${base}/export${queryString({ format, ...query })}`,
  };
}

/** One document, kept fresh by live events. */
export function useDocument<H extends DocumentHead, D extends H>(def: DocumentDef<H>, id: string) {
  return useQuery({
    queryKey: [...def.key, 'one', id],
    queryFn: ({ signal }) => documentApi<H, D>(def.base).get(id, signal),
    enabled: id !== '' && id !== 'new',
  });
}

/** Caches a document from a response, and refetches every list of its kind. */
export function documentChanged<H extends DocumentHead>(def: DocumentDef<H>, now: H): void {
  queries.setQueryData([...def.key, 'one', now.id], now);
  void queries.invalidateQueries({
    queryKey: [...def.key],
    predicate: ({ queryKey }) => queryKey.at(-1) !== now.id,
  });
}

/** Takes steps of a document; a try without an answer is retried with the same key. */
export function useStep<H extends DocumentHead, D extends H>(def: DocumentDef<H>) {
  const keys = useRef(new Map<string, string>());
  return useMutation<D, Problem, { document: D; step: string; body?: StepBody }>({
    mutationFn: async ({ document, step, body }) => {
      const name = `${document.id} ${step} ${document.revision} ${JSON.stringify(body ?? {})}`;
      const key = keys.current.get(name) ?? crypto.randomUUID();
      keys.current.set(name, key);
      try {
        const api = documentApi<H, D>(def.base);
        return await api.step(document.id, step, document.revision, body, key);
      } catch (error) {
        throw Problem.of(error);
      }
    },
    onSuccess: (now) => documentChanged(def, now),
  });
}
