import { request } from '#/api/client';
import { Problem } from '#/api/problem';
import type {
  Batch,
  BatchAnswer,
  CountAnswer,
  CountEvent,
  CountState,
  Entry,
  HeldCount,
  Lease,
  Scope,
  Settings,
  WarmUp,
} from './types';

const ROOT = '/api/stores/count';

export const KEY = ['store-count'] as const;

/** The session is left out where a store's day has none. */
const inSession = ({ storeId, date, session }: Scope) => ({
  storeId,
  date,
  ...(session ? { session } : {}),
});

export const countApi = {
  batch: async (batch: Batch, signal?: AbortSignal): Promise<readonly CountAnswer[]> => {
    const { results } = await request<BatchAnswer>('POST', `${ROOT}/batch`, {
      json: batch,
      signal,
      gzip: true,
    });
    return results;
  },
  warmUp: (storeId: string, signal?: AbortSignal) =>
    request<WarmUp>('GET', `${ROOT}/warm-up`, { query: { storeId }, signal }),
  entries: async (storeId: string, date: string, signal?: AbortSignal): Promise<Entry[]> => {
    const query = { storeId, date };
    const answer = await request<{ entries: Entry[] }>('GET', `${ROOT}/entries`, { query, signal });
    return answer.entries;
  },
  state: (scope: Scope, signal?: AbortSignal) =>
    request<CountState>('GET', `${ROOT}/state`, { query: inSession(scope), signal }),
  lease: async (scope: Scope, deviceId: string, takeOver = false): Promise<Lease> => {
    const json = { ...inSession(scope), deviceId, ...(takeOver ? { takeOver } : {}) };
    return request<Lease>('POST', `${ROOT}/lease`, { json });
  },
  finish: (scope: Scope, signal?: AbortSignal) =>
    request<CountState>('POST', `${ROOT}/finish`, { json: inSession(scope), signal }),
  unlock: (scope: Scope, reason: string) =>
    request<unknown>('POST', `${ROOT}/unlock`, { json: { ...inSession(scope), reason } }),
  choose: (op: string, revision: number) =>
    request<unknown>('POST', `${ROOT}/entries/choose`, { json: { op, revision } }),
  settings: (storeId: string, signal?: AbortSignal) =>
    request<Settings>('GET', `${ROOT}/settings/${encodeURIComponent(storeId)}`, { signal }),
  saveSettings: (storeId: string, settings: Partial<Settings>) =>
    request<Settings>('PUT', `${ROOT}/settings/${encodeURIComponent(storeId)}`, { json: settings }),
  history: async (scope: Scope, itemId: string, signal?: AbortSignal): Promise<CountEvent[]> => {
    const query = { ...inSession(scope), itemId };
    const { events } = await request<{ events: CountEvent[] }>('GET', `${ROOT}/history`, {
      query,
      signal,
    });
    return events;
  },
  held: (storeId: string, signal?: AbortSignal) =>
    request<{ items: HeldCount[]; total: number }>('GET', `${ROOT}/held`, {
      query: { storeId, pageSize: 200 },
      signal,
    }),
  decide: (how: 'apply' | 'decline', ops: readonly string[], reason: string) =>
    request<unknown>('POST', `${ROOT}/held/${how}`, { json: { ops, ...(reason && { reason }) } }),
  photo: (storeId: string, raw: Blob) =>
    request<{ photo: string }>('POST', `${ROOT}/photos`, { query: { storeId }, raw }),
};

export function photoPath(storeId: string, photo: string): string {
  return `${ROOT}/photos/${encodeURIComponent(photo)}?storeId=${encodeURIComponent(storeId)}`;
}

/** Whether the request failed because the server cannot be reached: no answer, or a proxy's. */
export function isOutOfReach(error: unknown): boolean {
  if (!(error instanceof Problem)) return false;
  return error.status === 0 || error.status >= 502;
}
