import { useQuery } from '@tanstack/react-query';
import { createContext, useContext } from 'react';
import { type PageKey, spec } from '#/paths';
import { request } from './client';
import { Problem } from './problem';
import { queries } from './queries';
import { reachability } from './reachability';
import type { components } from './schema.gen';
import { syncSession } from './sessionSync';

export type Me = components['schemas']['Me'] & {
  /** Remembered from an earlier start, because the server is unreachable. */
  remembered?: true;
};

export const ME = ['me'] as const;

/** localStorage key, set while a sign-out could not reach the server: the cookie is still valid but must not be used. */
const SIGN_OUT_PENDING = 'larder:leaving';

/** Remembers the user for a start without a network; implemented by `offline/lastUser`. */
interface UserMemory {
  keep(me: Me): void;
  recall(): Promise<Me | null>;
  forget(): void;
}

let memory: UserMemory = { keep() {}, recall: () => Promise.resolve(null), forget() {} };

/** Counts session ends: an answer requested before one must not be remembered. */
let signOutCount = 0;

export function setUserMemory(by: UserMemory): void {
  memory = by;
  // Every end of a session, in this tab or another, sets this query to null.
  queries.getQueryCache().subscribe(({ type, query }) => {
    if (type !== 'updated' || query.queryKey[0] !== ME[0] || query.state.data !== null) return;
    signOutCount += 1;
    by.forget();
  });
}

/** After this long without an answer a remembered user is used. */
const RECALL_AFTER_MS = 5_000;
/** How often an unreachable server is polled. */
const ASK_AGAIN_MS = 10_000;

/** The signed-in user, or null. Falls back to the remembered user when the server is unreachable. */
export async function fetchMe(): Promise<Me | null> {
  if (storage()?.getItem(SIGN_OUT_PENDING)) return ask();
  const asking = ask();
  const late = new Promise<Me | null>((done) => {
    setTimeout(() => void memory.recall().then(done, () => done(null)), RECALL_AFTER_MS);
  });
  try {
    const remembered = await Promise.race([asking.then(() => null), late]);
    if (remembered) {
      reachability.markLost();
      asking.then(
        (me) => queries.setQueryData(ME, me),
        () => {},
      );
      return { ...remembered, remembered: true };
    }
    return await asking;
  } catch (error) {
    const remembered = isUnreachable(error) ? await memory.recall().catch(() => null) : null;
    if (!remembered || storage()?.getItem(SIGN_OUT_PENDING)) throw error;
    return { ...remembered, remembered: true };
  }
}

/** Whether the request did not reach the server. */
export function isUnreachable(error: unknown): boolean {
  return error instanceof Problem && (error.status === 0 || error.status >= 502);
}

async function ask(): Promise<Me | null> {
  const from = signOutCount;
  try {
    if (storage()?.getItem(SIGN_OUT_PENDING)) {
      await request('POST', '/api/session/sign-out');
      storage()?.removeItem(SIGN_OUT_PENDING);
    }
    const me = await request('GET', '/api/me');
    if (from === signOutCount) memory.keep(me);
    return me;
  } catch (error) {
    if (
      error instanceof Problem &&
      (error.status === 401 || storage()?.getItem(SIGN_OUT_PENDING))
    ) {
      return null;
    }
    throw error;
  }
}

const SESSION = {
  queryKey: ME,
  queryFn: fetchMe,
  staleTime: 60_000,
  networkMode: 'always',
} as const;

/** Requests the session before the first render. */
export function prefetchSession(): void {
  void queries.prefetchQuery(SESSION);
}

export function useSession() {
  return useQuery({
    ...SESSION,
    refetchInterval: ({ state: { data, error } }) =>
      data?.remembered || (data === undefined && isUnreachable(error)) ? ASK_AGAIN_MS : false,
  });
}

export const MeContext = createContext<Me | null>(null);

/** The signed-in user; only for components shown to signed-in users. */
export function useMe(): Me {
  const me = useContext(MeContext);
  if (!me) throw new Error('useMe needs a signed-in user');
  return me;
}

/** Whether the user has a right; super admins have all. Only for showing and hiding: the server checks again. */
export function can(me: Me, permission: string | undefined, action = 'view'): boolean {
  if (!permission || me.user.superAdmin) return true;
  const [category = '', page = ''] = permission.split('/');
  const pages = (me.permissions as Record<string, Record<string, Record<string, boolean>>>)[
    category
  ];
  return pages?.[page]?.[action] === true;
}

/** Whether a page exists and the user may view it. */
export function mayOpen(me: Me, key: PageKey): boolean {
  const page = spec(key);
  return page.built === true && can(me, page.can);
}

export function useCan(permission: string | undefined, action = 'view'): boolean {
  return can(useMe(), permission, action);
}

/** Call after the session cookie was set: fetches the user, which opens the console, and informs other tabs. */
export async function startSession(): Promise<Me> {
  storage()?.removeItem(SIGN_OUT_PENDING);
  const me = await refetchMe();
  if (!me) throw new Error('');
  broadcast('entered');
  return me;
}

/** Whether the server says that this browser is signed in. */
export async function hasSession(): Promise<boolean> {
  try {
    await request('GET', '/api/me');
    return true;
  } catch {
    // Not signed in or unreachable; the caller has the error to show.
    return false;
  }
}

/** Fetches the user even if the last answer is fresh. */
export async function refetchMe(): Promise<Me | null> {
  // A request under way may be of the session before, or never be answered. And after the clock was set back, an
  // answer of the future counts as fresh.
  await queries.cancelQueries({ queryKey: ME });
  await queries.invalidateQueries({ queryKey: ME, refetchType: 'none' });
  return queries.fetchQuery({
    queryKey: ME,
    queryFn: fetchMe,
    staleTime: 0,
    networkMode: 'always',
  });
}

export async function signOut(): Promise<void> {
  const sessionSync = queries.getQueryData<Me | null>(ME)?.sessionSync;
  if (sessionSync) await syncSession('DELETE', sessionSync);
  try {
    await request('POST', '/api/session/sign-out');
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    // Unreachable: the screen is cleared anyway, and the session is ended at the next contact.
    if (error.code === 'offline') rememberSignOut();
  }
  clearSession();
  broadcast('left');
}

function rememberSignOut(): void {
  try {
    storage()?.setItem(SIGN_OUT_PENDING, '1');
  } catch {
    // A full device: the screen must be cleared all the same.
  }
}

/** Clears the query cache of everything that belonged to the user. */
export function clearSession(): void {
  queries.setQueryData(ME, null);
  queries.removeQueries({ predicate: (query) => query.queryKey[0] !== ME[0] });
}

type SessionMessage = 'entered' | 'left';

const channel = 'BroadcastChannel' in globalThis ? new BroadcastChannel('larder-session') : null;

function broadcast(word: SessionMessage): void {
  channel?.postMessage(word);
}

/** Notifies of sign-ins and sign-outs in other tabs; returns the function that unsubscribes. */
export function onSessionMessage(listener: (word: SessionMessage) => void): () => void {
  const onMessage = ({ data }: MessageEvent<SessionMessage>) => listener(data);
  channel?.addEventListener('message', onMessage);
  return () => channel?.removeEventListener('message', onMessage);
}

function storage(): Storage | null {
  try {
    return globalThis.localStorage ?? null;
  } catch {
    return null;
  }
}
