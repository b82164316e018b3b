// A count may be finished in the freezer: the wish is written down first, and is told to the server when every entry
// it is about has been answered.
import { queryOptions, useQuery } from '@tanstack/react-query';
import { Problem } from '#/api/problem';
import { queries } from '#/api/queries';
import { useMe } from '#/api/session';
import { disk } from '#/offline/device';
import { countApi, isOutOfReach, KEY } from './api';
import { outbox } from './lane';
import type { Scope } from './types';

const WISH = 'finish:';
/** Nobody stands before a button for longer; what was begun goes on, and the wish waits for it. */
const PATIENCE_MS = 8_000;

interface Wish {
  uid: string;
  scope: Scope;
}

const nameOf = ({ storeId, date, session }: Scope) => `${WISH}${storeId}:${date}:${session}`;

/** Wishes that somebody is waiting for just now: nobody else tells them. */
const inHand = new Set<string>();

function isWaiting({ storeId, date, session }: Scope): Promise<boolean> {
  return outbox.holds(
    (record) => record.storeId === storeId && record.date === date && record.session === session,
  );
}

/** Whether asking once more, later, can lead to anything else. */
function mayPass(error: unknown): boolean {
  const { status } = Problem.of(error);
  return isOutOfReach(error) || status === 401 || status === 429;
}

/**
 * True when the server knows; false when it will be told later. What it refuses is thrown, and is no wish any more
 * unless it may pass later.
 */
export async function finish(uid: string, scope: Scope): Promise<boolean> {
  const name = nameOf(scope);
  inHand.add(name);
  try {
    const kept = await keep(name, { uid, scope });
    await within(outbox.flush());
    if (!(await isWaiting(scope))) {
      try {
        await tell(name, scope);
        return true;
      } catch (error) {
        if (!isOutOfReach(error)) throw error;
      }
    }
    if (!kept) {
      const words = 'This device is full. Finish when the connection is back.';
      throw new Problem(0, 'notKept', words);
    }
    shown(scope, true);
  } finally {
    inHand.delete(name);
  }
  // Its counts may have been answered while nobody was to tell it.
  void finishWaiting(uid);
  return false;
}

let telling: Promise<void> | null = null;

/** Tells the server what was finished without it. */
export function finishWaiting(uid: string): Promise<void> {
  telling ??= tellAll(uid).finally(() => {
    telling = null;
  });
  return telling;
}

async function tellAll(uid: string): Promise<void> {
  const keys = await disk.keys('meta').catch(() => []);
  for (const name of keys) {
    if (!name.startsWith(WISH) || inHand.has(name)) continue;
    const wish = (await disk.get('meta', name).catch(() => undefined)) as Wish | undefined;
    if (!wish || wish.uid !== uid || (await isWaiting(wish.scope))) continue;
    // Refused for good is answered, too; the count itself shows that it is not finished.
    await tell(name, wish.scope).catch(() => {});
  }
}

async function tell(name: string, scope: Scope): Promise<void> {
  try {
    const state = await countApi.finish(scope, AbortSignal.timeout(PATIENCE_MS));
    queries.setQueryData([...KEY, 'state', scope.storeId, scope.date, scope.session], state);
  } catch (error) {
    if (mayPass(error)) throw error;
    await drop(name, scope);
    throw error;
  }
  await drop(name, scope);
  void queries.invalidateQueries({ queryKey: [...KEY, 'state'] });
}

async function keep(name: string, wish: Wish): Promise<boolean> {
  return disk.put('meta', name, wish).then(
    () => true,
    () => false,
  );
}

async function drop(name: string, scope: Scope): Promise<void> {
  await disk.change('meta', [], [name]).catch(() => {});
  shown(scope, false);
}

function within(work: Promise<unknown>): Promise<unknown> {
  return Promise.race([work, new Promise((done) => setTimeout(done, PATIENCE_MS))]);
}

// --- what the count says about it

const wishOptions = (uid: string, scope: Scope) =>
  queryOptions({
    queryKey: [...KEY, 'wish', nameOf(scope)],
    networkMode: 'always',
    queryFn: async () => {
      const wish = (await disk.get('meta', nameOf(scope))) as Wish | undefined;
      return wish?.uid === uid;
    },
  });

/** Whether this count was finished here and the server does not know it yet. */
export function useFinishedHere(scope: Scope): boolean {
  const { uid } = useMe().user;
  return useQuery(wishOptions(uid, scope)).data === true;
}

function shown(scope: Scope, waits: boolean): void {
  queries.setQueryData([...KEY, 'wish', nameOf(scope)], waits);
}
