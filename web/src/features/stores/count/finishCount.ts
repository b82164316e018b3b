// A count may be finished offline, as in a freezer: a request is stored first, and sent to the server when every entry
// of the count has been answered.
import { queryOptions, useQuery } from '@tanstack/react-query';
import { Problem } from '#/api/problem';
import { queries } from '#/api/queries';
import { useMe } from '#/api/session';
import { disk } from '#/offline/device';
import { oneAtATime } from '#/offline/oneAtATime';
import { countApi, isOutOfReach, KEY } from './api';
import { outbox } from './countQueue';
import type { Scope } from './types';

/** Devices hold requests under this prefix: it must not change. */
const KEY_PREFIX = 'finish:';
/** The button waits at most this long; the request stays stored and is sent later. */
const TIMEOUT_MS = 8_000;

interface FinishRequest {
  uid: string;
  scope: Scope;
}

const keyOf = ({ storeId, date, session }: Scope) => `${KEY_PREFIX}${storeId}:${date}:${session}`;

/** Requests that `finishCount` is sending now; the background must not send them, too. */
const inProgress = new Set<string>();

function hasUnsentEntries({ storeId, date, session }: Scope): Promise<boolean> {
  return outbox.holds(
    (record) => record.storeId === storeId && record.date === date && record.session === session,
  );
}

/**
 * Whether the server itself refuses the request for good. A proxy, a Wi-Fi portal or a failing server says nothing
 * about the count: a later try can succeed.
 */
function isRefusal(error: unknown): boolean {
  const { status, worded } = Problem.of(error);
  return worded && status >= 400 && status < 500 && status !== 401 && status !== 429;
}

/**
 * True when the server has finished the count; false when the request waits on the device. A refusal is thrown, and the
 * request is dropped unless the refusal is temporary.
 */
export async function finishCount(uid: string, scope: Scope): Promise<boolean> {
  const name = keyOf(scope);
  inProgress.add(name);
  try {
    const kept = await store(name, { uid, scope });
    await atMost(outbox.flush());
    if (!(await hasUnsentEntries(scope))) {
      try {
        await send(name, scope);
        return true;
      } catch (error) {
        if (Problem.of(error).worded && !isOutOfReach(error)) throw error;
      }
    }
    if (!kept) {
      const words = 'This device is full. Finish when the connection is back.';
      throw new Problem(0, 'notKept', words);
    }
    setStored(scope, true);
  } finally {
    inProgress.delete(name);
  }
  // The entries may have been answered meanwhile.
  void sendFinishRequests(uid);
  return false;
}

/** Sends the stored requests whose entries have all been answered. */
export const sendFinishRequests = oneAtATime(async (uid: string) => {
  const keys = await disk.keys('meta').catch(() => []);
  for (const name of keys) {
    if (!name.startsWith(KEY_PREFIX) || inProgress.has(name)) continue;
    const request = (await disk.get('meta', name).catch(() => undefined)) as
      | FinishRequest
      | undefined;
    if (!request || request.uid !== uid || (await hasUnsentEntries(request.scope))) continue;
    // A final refusal needs no message here: the count's screen shows that it is not finished.
    await send(name, request.scope).catch(() => {});
  }
});

async function send(name: string, scope: Scope): Promise<void> {
  try {
    const state = await countApi.finish(scope, AbortSignal.timeout(TIMEOUT_MS));
    queries.setQueryData([...KEY, 'state', scope.storeId, scope.date, scope.session], state);
  } catch (error) {
    if (!isRefusal(error)) throw error;
    await remove(name, scope);
    throw error;
  }
  await remove(name, scope);
  // What was expected is compared with when each item was counted.
  for (const part of ['state', 'warm-up', 'expected']) {
    void queries.invalidateQueries({ queryKey: [...KEY, part] });
  }
}

async function store(name: string, request: FinishRequest): Promise<boolean> {
  return disk.put('meta', name, request).then(
    () => true,
    () => false,
  );
}

async function remove(name: string, scope: Scope): Promise<void> {
  await disk.change('meta', [], [name]).catch(() => {});
  setStored(scope, false);
}

function atMost(work: Promise<unknown>): Promise<unknown> {
  return Promise.race([work, new Promise((done) => setTimeout(done, TIMEOUT_MS))]);
}

// --- for the count's screen

const requestOptions = (uid: string, scope: Scope) =>
  queryOptions({
    queryKey: [...KEY, 'finish-request', keyOf(scope)],
    networkMode: 'always',
    queryFn: async () => {
      const request = (await disk.get('meta', keyOf(scope))) as FinishRequest | undefined;
      return request?.uid === uid;
    },
  });

/** Whether this count was finished on this device and the server does not know it yet. */
export function useFinishedOnDevice(scope: Scope): boolean {
  const { uid } = useMe().user;
  return useQuery(requestOptions(uid, scope)).data === true;
}

function setStored(scope: Scope, waits: boolean): void {
  queries.setQueryData([...KEY, 'finish-request', keyOf(scope)], waits);
}
