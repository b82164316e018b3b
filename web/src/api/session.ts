import { useQuery } from '@tanstack/react-query';
import { createContext, useContext } from 'react';
import { request } from './client';
import { Problem } from './problem';
import { queries } from './queries';
import { reach } from './reach';
import type { components } from './schema.gen';
import { syncSession } from './sessionSync';

export type Me = components['schemas']['Me'] & {
  /** Known from an earlier start, because the server is out of reach. */
  kept?: true;
};

export const ME = ['me'] as const;

/** Set while a sign-out could not reach the server: its cookie is still good and must not be used. */
const LEAVING = 'larder:leaving';

/** Remembers over a start without a network who was here; whoever keeps it answers for that. */
interface Memory {
  keep(me: Me): void;
  recall(): Promise<Me | null>;
  forget(): void;
}

let memory: Memory = { keep() {}, recall: () => Promise.resolve(null), forget() {} };

/** How often it became nobody: an answer that was asked for before that is too old to remember. */
let endings = 0;

export function rememberBy(by: Memory): void {
  memory = by;
  // Whatever ends a session, on this screen or told by another tab, ends here as nobody.
  queries.getQueryCache().subscribe(({ type, query }) => {
    if (type !== 'updated' || query.queryKey[0] !== ME[0] || query.state.data !== null) return;
    endings += 1;
    by.forget();
  });
}

/** A connection that answers nothing is none, for somebody who is remembered. */
const PATIENCE_MS = 5_000;
/** How often a server out of reach is asked again who is here. */
const ASK_AGAIN_MS = 10_000;

/** Who is signed in; null when nobody is. */
export async function whoIsHere(): Promise<Me | null> {
  if (storage()?.getItem(LEAVING)) return ask();
  const asking = ask();
  const late = new Promise<Me | null>((done) => {
    setTimeout(() => void memory.recall().then(done, () => done(null)), PATIENCE_MS);
  });
  try {
    const remembered = await Promise.race([asking.then(() => null), late]);
    if (remembered) {
      reach.lost();
      asking.then(
        (me) => queries.setQueryData(ME, me),
        () => {},
      );
      return { ...remembered, kept: true };
    }
    return await asking;
  } catch (error) {
    const remembered = isAway(error) ? await memory.recall().catch(() => null) : null;
    if (!remembered || storage()?.getItem(LEAVING)) throw error;
    return { ...remembered, kept: true };
  }
}

/** Whether nothing answered that could have said who is here. */
export function isAway(error: unknown): boolean {
  return error instanceof Problem && (error.status === 0 || error.status >= 502);
}

async function ask(): Promise<Me | null> {
  const from = endings;
  try {
    if (storage()?.getItem(LEAVING)) {
      await request('POST', '/api/session/sign-out');
      storage()?.removeItem(LEAVING);
    }
    const me = await request<Me>('GET', '/api/me');
    if (from === endings) memory.keep(me);
    return me;
  } catch (error) {
    if (error instanceof Problem && (error.status === 401 || storage()?.getItem(LEAVING))) {
      return null;
    }
    throw error;
  }
}

const SESSION = {
  queryKey: ME,
  queryFn: whoIsHere,
  staleTime: 60_000,
  networkMode: 'always',
} as const;

/** Asks while the screens are still being made; it is their first question. */
export function askEarly(): void {
  void queries.prefetchQuery(SESSION);
}

export function useSession() {
  return useQuery({
    ...SESSION,
    refetchInterval: ({ state: { data, error } }) =>
      data?.kept || (data === undefined && isAway(error)) ? ASK_AGAIN_MS : false,
  });
}

export const MeContext = createContext<Me | null>(null);

/** The signed-in user; only for what is shown to signed-in users. */
export function useMe(): Me {
  const me = useContext(MeContext);
  if (!me) throw new Error('useMe needs a signed-in user');
  return me;
}

/** A super admin may do everything; others what their role says. The server decides in the end. */
export function can(me: Me, permission: string | undefined, action = 'view'): boolean {
  if (!permission || me.user.superAdmin) return true;
  const [category = '', page = ''] = permission.split('/');
  const pages = (me.permissions as Record<string, Record<string, Record<string, boolean>>>)[
    category
  ];
  return pages?.[page]?.[action] === true;
}

export function useCan(permission: string | undefined, action = 'view'): boolean {
  return can(useMe(), permission, action);
}

/** After the cookie was set: asks who this is, which opens the console. */
export async function enter(): Promise<Me> {
  storage()?.removeItem(LEAVING);
  const me = await lookAgain();
  if (!me) throw new Error('');
  tell('entered');
  return me;
}

/** That nobody was signed in a moment ago may be fresh, and wrong. */
export function lookAgain(): Promise<Me | null> {
  return queries.fetchQuery({
    queryKey: ME,
    queryFn: whoIsHere,
    staleTime: 0,
    networkMode: 'always',
  });
}

export async function signOut(): Promise<void> {
  const told = queries.getQueryData<Me | null>(ME)?.sessionSync;
  if (told) await syncSession('DELETE', told);
  try {
    await request('POST', '/api/session/sign-out');
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    // Out of reach: the screen is cleared either way, and the session ended as soon as it can be.
    if (error.code === 'offline') storage()?.setItem(LEAVING, '1');
  }
  forget();
  tell('left');
}

/** Clears everything that belonged to the user who was signed in. */
export function forget(): void {
  queries.setQueryData(ME, null);
  queries.removeQueries({ predicate: (query) => query.queryKey[0] !== ME[0] });
}

type Word = 'entered' | 'left';

const tabs = 'BroadcastChannel' in globalThis ? new BroadcastChannel('larder-session') : null;

function tell(word: Word): void {
  tabs?.postMessage(word);
}

/** Hears of signing in and out in the other tabs of this browser. */
export function onOtherTab(listener: (word: Word) => void): () => void {
  const heard = ({ data }: MessageEvent<Word>) => listener(data);
  tabs?.addEventListener('message', heard);
  return () => tabs?.removeEventListener('message', heard);
}

function storage(): Storage | null {
  try {
    return globalThis.localStorage ?? null;
  } catch {
    return null;
  }
}
