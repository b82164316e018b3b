// Connectors: settings, requests and cache invalidation.
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { requestAt } from '#/api/client';
import { queries } from '#/api/queries';
import type { components } from '#/api/schema.gen';

type Schemas = components['schemas'];
export type Connector = Omit<Schemas['Connector'], 'settings'> & { settings: Settings };
export type Run = Schemas['ConnectorRun'];
export type RunLog = Schemas['ConnectorRunLog'];
export type Letter = Schemas['ConnectorLetter'];
export type Found = Omit<Schemas['ConnectorFound'], 'answer'> & { answer?: unknown };
export type Schedule = Schemas['ConnectorSchedule'];

/** What a word of a status column says about its row. */
export type WordMeaning = Schemas['Word'];

/** How a record is read, by field. */
export interface Reading {
  fields: Partial<Record<string, string>>;
  key?: string | null;
  dateFormat: 'dmy' | 'mdy' | 'ymd' | 'excel';
  decimal: string;
  priceMeans: 'unit' | 'line';
  storeId?: string | null;
  words?: Record<string, WordMeaning>;
}

export interface ApiSettings {
  kind: 'api';
  url: string;
  method: 'GET' | 'POST';
  body?: string | null;
  headers: { name: string; value: string }[];
  auth:
    | { kind: 'none' | 'bearer' }
    | { kind: 'header'; name: string }
    | { kind: 'basic'; userName: string }
    | { kind: 'oAuth'; tokenUrl: string; clientId: string; scope?: string | null };
  paging:
    | { kind: 'none' | 'link' }
    | { kind: 'page'; first: number; total?: string | null }
    | { kind: 'cursor'; path: string; total?: string | null }
    | { kind: 'next'; path: string };
  reading: Reading;
  firstDay?: string | null;
  againDays: number;
  daysAtOnce: number;
}

export interface FeedSettings {
  kind: 'w3p';
  folder?: string | null;
  holds: 'days' | 'receipts';
  reading: Reading;
}

export interface BigQuerySettings {
  kind: 'bigquery';
  project: string;
  location?: string | null;
  table?: string | null;
  dateColumn?: string | null;
  query?: string | null;
  reading: Reading;
  firstDay?: string | null;
  againDays: number;
}

export type Settings = ApiSettings | FeedSettings | BigQuerySettings;

export interface Draft {
  name: string;
  settings: Settings;
  secrets: Record<string, string>;
  schedule: Schedule;
  paused: boolean;
  revision?: number | null;
}

const KEY = 'connectors';
/** Polling interval during a run, in ms. */
const LOOK_EVERY = 1_000;

export const isOpen = (run: Run | null | undefined): boolean =>
  run?.state === 'queued' || run?.state === 'running';

export const useConnectors = (base: string) =>
  useQuery({
    queryKey: [KEY, base],
    queryFn: ({ signal }) =>
      requestAt<{
        items: Connector[];
        canEdit: boolean;
        outOfReach?: string | null;
        incoming?: string;
      }>('GET', base, { signal }),
    refetchInterval: ({ state }) =>
      state.data?.items.some(({ lastRun }) => isOpen(lastRun)) ? LOOK_EVERY : false,
  });

/** A connector's current state; null if it is gone. */
export async function askOne(base: string, id: string): Promise<Connector | null> {
  const { items } = await requestAt<{ items: Connector[] }>('GET', base);
  return items.find((one) => one.id === id) ?? null;
}

export const useRuns = (base: string, id: string, limit: number) =>
  useQuery({
    queryKey: [KEY, base, id, 'runs', limit],
    queryFn: ({ signal }) =>
      requestAt<{ items: Run[]; total: number }>('GET', `${base}/${id}/runs`, {
        query: { limit },
        signal,
      }),
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) => (state.data?.items.some(isOpen) ? LOOK_EVERY : false),
  });

export const useRunLog = (base: string, id: string, run: string, open: boolean) =>
  useQuery({
    queryKey: [KEY, base, id, 'log', run],
    queryFn: ({ signal }) => requestAt<RunLog>('GET', `${base}/${id}/runs/${run}`, { signal }),
    enabled: open,
    refetchInterval: ({ state }) => (isOpen(state.data?.run) ? LOOK_EVERY : false),
  });

export const useAside = (base: string, id: string, all: boolean) =>
  useQuery({
    queryKey: [KEY, base, id, 'aside', all],
    queryFn: ({ signal }) =>
      requestAt<{ items: Letter[]; total: number }>('GET', `${base}/${id}/aside`, {
        query: { all, limit: 100 },
        signal,
      }),
    placeholderData: keepPreviousData,
  });

async function changing<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } finally {
    await queries.invalidateQueries({ queryKey: [KEY] });
  }
}

export const save = (base: string, id: string | null, draft: Draft) =>
  changing(
    id
      ? requestAt<Connector>('PATCH', `${base}/${id}`, { json: draft })
      : requestAt<Connector>('POST', base, { json: draft }),
  );

export const remove = (base: string, id: string) =>
  changing(requestAt<void>('DELETE', `${base}/${id}`));

export const pause = (base: string, id: string, paused: boolean) =>
  changing(requestAt<Connector>('POST', `${base}/${id}/pause`, { json: { paused } }));

export const start = (base: string, id: string, ask: { from?: string; to?: string }) =>
  changing(requestAt<Run>('POST', `${base}/${id}/runs`, { json: ask }));

export const cancel = (base: string, id: string, run: string) =>
  changing(requestAt<Run>('POST', `${base}/${id}/runs/${run}/cancel`, { json: {} }));

/** Takes what was put aside again; `answer` is one of its choices. */
export const retry = (base: string, id: string, entry: string, answer?: string) =>
  changing(
    requestAt<Run>('POST', `${base}/${id}/aside/${entry}/retry`, {
      json: answer ? { answer } : {},
    }),
  );

export const discard = (base: string, id: string, entry: string) =>
  changing(requestAt<unknown>('POST', `${base}/${id}/aside/${entry}/discard`, { json: {} }));

export const nameStores = (base: string, id: string, stores: { name: string; storeId: string }[]) =>
  changing(requestAt<unknown>('POST', `${base}/${id}/stores`, { json: { stores } }));

/** A dry run; nothing is posted. */
export const tryOut = (
  base: string,
  ask: {
    id: string | null;
    settings: Settings;
    secrets: Record<string, string>;
    day?: string;
    sample?: string;
  },
) => requestAt<Found>('POST', `${base}/test`, { json: ask });
