import { useQuery } from '@tanstack/react-query';
import { request } from '#/api/client';
import type { Body } from '#/api/operations';
import { queries } from '#/api/queries';
import type { components } from '#/api/schema.gen';
import type { Tone } from '#/ui/StatusPill';

type Schemas = components['schemas'];
export type ZReading = Schemas['ZReading'];
export type ZReadingRow = Schemas['ZReadingRow'];
export type Calendar = Schemas['ZReadingCalendar'];
export type CalendarDay = Schemas['CalendarDay'];
export type TillOfDay = Schemas['TillOfDay'];
export type Chain = Schemas['ZReadingChain'];
export type Tender = Schemas['Tender'];
export type ZTerminalRow = Schemas['ZTerminalRow'];
export type Place = Schemas['PicturePlace'];

/** The prefix of its query keys, also for live events. */
export const KEY = ['sales', 'z-reading'] as const;
export const BASE = '/api/sales/z-reading';

export const STATES: Readonly<Record<string, { label: string; tone: Tone }>> = {
  captured: { label: 'Being read', tone: 'neutral' },
  needsReview: { label: 'To review', tone: 'warn' },
  disputed: { label: 'Disputed', tone: 'danger' },
  verified: { label: 'Verified', tone: 'ok' },
  reconciled: { label: 'Reconciled', tone: 'brand' },
  discarded: { label: 'Discarded', tone: 'neutral' },
};

export interface ReadingsQuery {
  storeId?: string;
  terminalId?: string;
  state?: string;
  from?: string;
  to?: string;
  q?: string;
  sort?: string;
  page?: number;
  pageSize?: number;
}

export const askReadings = (query: ReadingsQuery, signal?: AbortSignal) =>
  request('GET', '/api/sales/z-reading', { query, signal });

export const pictureHref = (id: string, size: 'full' | 'thumb' = 'full') =>
  `${BASE}/${encodeURIComponent(id)}/picture?size=${size}`;

export const readingKey = (id: string) => [...KEY, 'one', id];

export function useReading(id: string) {
  return useQuery({
    queryKey: readingKey(id),
    queryFn: ({ signal }) => request('GET', '/api/sales/z-reading/{id}', { path: { id }, signal }),
    enabled: id !== 'new',
    // Its picture is being read: the live event may have come before this page listened.
    refetchInterval: ({ state }) => (state.data?.state === 'captured' ? 2_000 : false),
  });
}

/** Caches the response of a change, and refetches lists and pictures. */
export function readingChanged(reading: ZReading): ZReading {
  queries.setQueryData(readingKey(reading.id), reading);
  void queries.invalidateQueries({
    predicate: ({ queryKey }) =>
      queryKey[0] === KEY[0] &&
      queryKey[1] === KEY[1] &&
      !(queryKey[2] === 'one' && queryKey[3] === reading.id),
  });
  return reading;
}

type ReadingDraft = Body<'POST', '/api/sales/z-reading'>;

export const createReading = (draft: ReadingDraft, retryKey: string) =>
  request('POST', BASE, { json: draft, retryKey });

export const updateReading = (id: string, revision: number, changed: Record<string, unknown>) =>
  // The contract has the fields of a new one; a change has its revision and the changed fields.
  request('PATCH', `${BASE}/{id}`, {
    path: { id },
    json: { ...changed, revision } as unknown as ReadingDraft,
  });

export type Step = 'discard' | 'dispute' | 'read' | 'reconcile' | 'reopen' | 'verify';

/** What a user says on taking a step. */
export interface StepSaid {
  reason?: string;
  /** On verifying: the difference from the imported sales was seen. */
  salesSeen?: boolean;
}

export const takeStep = (id: string, step: Step, revision: number, said: StepSaid = {}) =>
  request('POST', `${BASE}/{id}/${step}`, {
    path: { id },
    json: {
      revision,
      ...(said.reason ? { reason: said.reason } : {}),
      salesSeen: said.salesSeen === true,
    },
  });

type Till = Pick<ZTerminalRow, 'storeId' | 'terminalId'>;

export const setTill = (
  { storeId, terminalId }: Till,
  json: Body<'PUT', '/api/sales/z-reading/terminals/{storeId}/{terminalId}'>,
) =>
  request('PUT', `${BASE}/terminals/{storeId}/{terminalId}`, {
    path: { storeId, terminalId },
    json,
  });

type TillDay = { storeId: string; date: string; terminalId: string };

/** Records that a till has no reading of a day. */
export const setAbsence = ({ storeId, date, terminalId }: TillDay, reason: string) =>
  request('PUT', `${BASE}/absences/{storeId}/{date}`, {
    path: { storeId, date },
    query: { terminalId },
    json: { reason },
  });

export const deleteAbsence = ({ storeId, date, terminalId }: TillDay) =>
  request('DELETE', `${BASE}/absences/{storeId}/{date}`, {
    path: { storeId, date },
    query: { terminalId },
  });

/** Saves a till's label for a field, or that it does not print it. */
export const teachTill = (
  { storeId, terminalId }: Till,
  json: { label: string; field: string; absent: boolean },
) =>
  request('POST', `${BASE}/terminals/{storeId}/{terminalId}/teach`, {
    path: { storeId, terminalId },
    json,
  });

/** How many pictures were sent without a store and wait for it; live events of readings refetch it. */
export function useWithoutStore(mayAsk: boolean): number {
  const { data } = useQuery({
    queryKey: [...KEY, 'without-store'],
    queryFn: ({ signal }) =>
      request('GET', '/api/tools/services/zreading-ocr/pictures', { signal }),
    enabled: mayAsk,
  });
  return data?.items.filter(({ state }) => state === 'asks').length ?? 0;
}

/** The tills of a store, or of all the user's stores. */
export function useTerminals(storeId: string) {
  return useQuery({
    queryKey: [...KEY, 'terminals', storeId],
    queryFn: ({ signal }) =>
      request('GET', '/api/sales/z-reading/terminals', {
        query: { storeId: storeId || undefined },
        signal,
      }),
  });
}

export function useChain(storeId: string, terminalId: string, from?: string, to?: string) {
  return useQuery({
    queryKey: [...KEY, 'chain', storeId, terminalId, from, to],
    queryFn: ({ signal }): Promise<Chain> =>
      request('GET', '/api/sales/z-reading/chain', {
        query: { storeId, terminalId, from, to },
        signal,
      }),
    enabled: storeId !== '' && terminalId !== '',
  });
}
