import { request, requestAt } from '#/api/client';
import { Problem } from '#/api/problem';
import type {
  Batch,
  CountAnswer,
  CountEvent,
  Entry,
  Expected,
  Lease,
  Scope,
  Settings,
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
    const { results } = await request('POST', `${ROOT}/batch`, { json: batch, signal, gzip: true });
    return results;
  },
  warmUp: (storeId: string, signal?: AbortSignal) =>
    request('GET', `${ROOT}/warm-up`, { query: { storeId }, signal }),
  entries: async (storeId: string, date: string, signal?: AbortSignal): Promise<Entry[]> => {
    const query = { storeId, date };
    const answer = await request('GET', `${ROOT}/entries`, { query, signal });
    return answer.entries;
  },
  expected: async (storeId: string, date: string, signal?: AbortSignal): Promise<Expected[]> => {
    const query = { storeId, date };
    const answer = await request('GET', `${ROOT}/expected`, { query, signal });
    return answer.expectedOf;
  },
  state: (scope: Scope, signal?: AbortSignal) =>
    request('GET', `${ROOT}/state`, { query: inSession(scope), signal }),
  lease: async (scope: Scope, deviceId: string, takeOver = false): Promise<Lease> => {
    const json = { ...inSession(scope), deviceId, takeOver };
    return request('POST', `${ROOT}/lease`, { json });
  },
  finish: (scope: Scope, signal?: AbortSignal) =>
    request('POST', `${ROOT}/finish`, { json: inSession(scope), signal }),
  unlock: (scope: Scope, reason: string) =>
    request('POST', `${ROOT}/unlock`, { json: { ...inSession(scope), reason } }),
  choose: (op: string, revision: number) =>
    request('POST', `${ROOT}/entries/choose`, { json: { op, revision } }),
  settings: (storeId: string, signal?: AbortSignal) =>
    request('GET', `${ROOT}/settings/{storeId}`, { path: { storeId }, signal }),
  saveSettings: (storeId: string, settings: Partial<Settings>) =>
    request('PUT', `${ROOT}/settings/{storeId}`, { path: { storeId }, json: settings }),
  history: async (scope: Scope, itemId: string, signal?: AbortSignal): Promise<CountEvent[]> => {
    const query = { ...inSession(scope), itemId };
    const { events } = await request('GET', `${ROOT}/history`, { query, signal });
    return events;
  },
  held: (storeId: string, signal?: AbortSignal) =>
    request('GET', `${ROOT}/held`, { query: { storeId, pageSize: 200 }, signal }),
  decide: (how: 'apply' | 'decline', ops: readonly string[], reason: string) =>
    requestAt<unknown>('POST', `${ROOT}/held/${how}`, { json: { ops, ...(reason && { reason }) } }),
  photo: (storeId: string, raw: Blob) =>
    request('POST', `${ROOT}/photos`, { query: { storeId }, raw }),
};

export function photoPath(storeId: string, photo: string): string {
  return `${ROOT}/photos/${encodeURIComponent(photo)}?storeId=${encodeURIComponent(storeId)}`;
}

/** Whether the request failed because the server cannot be reached: no answer, or a proxy's. */
export function isOutOfReach(error: unknown): boolean {
  if (!(error instanceof Problem)) return false;
  return error.status === 0 || error.status >= 502;
}
