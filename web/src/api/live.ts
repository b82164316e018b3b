import type { QueryKey } from '@tanstack/react-query';
import { useEffect, useSyncExternalStore } from 'react';
import { kinds } from '#/kinds.gen';
import { recordKinds } from '#/records';
import { isAnswerable, queries } from './queries';
import { reachability } from './reachability';
import { fetchMe, ME } from './session';
import { backOff, type Message, readStream, StreamRefused } from './stream';

export interface LiveEvent {
  kind: string;
  id: string;
  storeId?: string | null;
  action: string;
}

/** The query keys that a change makes stale. */
export function staleKeys({ kind, id }: LiveEvent): QueryKey[] {
  const slug = recordKinds[kind]?.slug;
  if (slug) {
    // Stores have pages and queries of their own.
    const own: QueryKey = kind === 'location' ? ['stores'] : ['lists', slug];
    return [
      own,
      ['lists', 'hub'],
      ['names', slug],
      ['history'],
      ['search'],
      ...(kinds[kind]?.refreshes ?? []),
    ];
  }
  if (kind === 'job') return [['jobs', id]];
  return [...(kinds[kind]?.refreshes ?? [])];
}

const PATH = '/api/live';
/** After a connection that lasted this long, reconnect at once. */
const STABLE_MS = 5_000;
/** Changes within this time cause one refetch: an import changes thousands of rows at once. */
const GATHER_MS = 150;
/** How long a change counts as recent; its rows are refetched and marked in that time. */
const RECENT_MS = 3_000;
/** With more recent changes than this, none are marked. */
const MAX_RECENT = 200;

type LiveMessage = Pick<Message, 'id' | 'event' | 'data'>;

/** Messages from the listening tab to the others, which may run another version: field names stay. */
type TabMessage = { heard: LiveMessage } | { connected: boolean };

const NOTHING: ReadonlyMap<string, number> = new Map();

/**
 * One tab listens for all tabs of the browser, because each stream holds a connection and browsers
 * allow six per origin. A lock decides which; when it closes, another tab gets the lock.
 */
class Live {
  #lastId = '';
  #opens = 0;
  #connected = true;
  readonly #watchers = new Set<() => void>();
  readonly #staleKeys = new Map<string, QueryKey>();
  /** Records deleted since the last refetch. */
  readonly #deleted = new Set<string>();
  readonly #recent = new Map<string, number>();
  #timer: ReturnType<typeof setTimeout> | undefined;
  #signedOut: () => void = () => {};
  readonly #channel = 'BroadcastChannel' in globalThis ? new BroadcastChannel('larder-live') : null;

  constructor() {
    this.#channel?.addEventListener('message', ({ data }: MessageEvent<TabMessage>) => {
      if ('heard' in data) this.#handle(data.heard);
      else this.#setConnected(data.connected);
    });
  }

  /** Listens until the returned function is called. */
  start(signedOut: () => void): () => void {
    this.#signedOut = signedOut;
    const stop = new AbortController();
    const listen = () => this.#listen(stop.signal);
    const own = navigator.locks
      ? navigator.locks.request('larder-live', { signal: stop.signal }, listen)
      : listen();
    // Stopping aborts both the wait for the lock and the stream.
    Promise.resolve(own).catch(() => {});
    return () => {
      stop.abort();
      clearTimeout(this.#timer);
      this.#timer = undefined;
      this.#staleKeys.clear();
      this.#deleted.clear();
    };
  }

  watch = (changed: () => void): (() => void) => {
    this.#watchers.add(changed);
    return () => this.#watchers.delete(changed);
  };

  connected = (): boolean => this.#connected;

  /** Recently changed records by id, with the time of the event. */
  recent(): ReadonlyMap<string, number> {
    const old = Date.now() - RECENT_MS;
    for (const [id, at] of this.#recent) if (at < old) this.#recent.delete(id);
    return this.#recent.size > MAX_RECENT ? NOTHING : this.#recent;
  }

  async #listen(signal: AbortSignal): Promise<void> {
    let failures = 0;
    while (!signal.aborted) {
      let openedAt = 0;
      try {
        const opened = () => {
          reachability.markFound();
          openedAt = Date.now();
          this.#opened();
        };
        const message = (heard: Message) => {
          this.#channel?.postMessage({ heard } satisfies TabMessage);
          this.#handle(heard);
        };
        await readStream(PATH, this.#lastId, { opened, message }, signal);
      } catch (error) {
        if (signal.aborted) return;
        if (error instanceof StreamRefused && error.status === 401) {
          this.#signedOut();
          return;
        }
      }
      if (signal.aborted) return;
      this.#broadcastConnected(false);
      const good = openedAt > 0 && Date.now() - openedAt > STABLE_MS;
      failures = openedAt > 0 ? 0 : failures + 1;
      // The server closes the stream when the session ends: check that at once.
      if (openedAt > 0 && (await this.#sessionEnded())) return;
      await pause(good ? Math.random() * 300 : backOff(failures), signal);
    }
  }

  async #sessionEnded(): Promise<boolean> {
    const me = await fetchMe().catch(() => undefined);
    return me === null;
  }

  #opened(): void {
    this.#broadcastConnected(true);
    this.#opens += 1;
    // Without a last event id the stream cannot resume, so any event may have been missed.
    if (this.#opens > 1 && !this.#lastId) this.#invalidate([[]]);
  }

  #handle({ id, event, data }: LiveMessage): void {
    if (id) this.#lastId = id;
    this.#setConnected(true);
    if (event === 'rights') {
      // The user's rights changed: refetch every open screen, and drop what no screen shows, since it
      // may no longer be theirs.
      void queries.invalidateQueries({ queryKey: ME });
      queries.removeQueries({
        type: 'inactive',
        predicate: ({ queryKey }) => queryKey[0] !== ME[0],
      });
      this.#invalidate([[]]);
      return;
    }
    let change: LiveEvent;
    try {
      change = JSON.parse(data) as LiveEvent;
    } catch {
      return;
    }
    if (change.id) this.#recent.set(change.id, Date.now());
    if (change.action === 'deleted') this.#deleted.add(change.id);
    else this.#deleted.delete(change.id);
    // Kind `*`: events may have been missed, so everything on screen is refetched.
    this.#invalidate(change.kind === '*' ? [[]] : staleKeys(change));
  }

  #invalidate(keys: readonly QueryKey[]): void {
    for (const key of keys) this.#staleKeys.set(JSON.stringify(key), key);
    if (this.#staleKeys.size === 0) return;
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      const gone = new Set(this.#deleted);
      const predicate = (query: { queryKey: QueryKey }) => isAnswerable(query.queryKey, gone);
      for (const queryKey of this.#staleKeys.values()) {
        void queries.invalidateQueries({ queryKey, predicate });
      }
      this.#staleKeys.clear();
      this.#deleted.clear();
    }, GATHER_MS);
  }

  #broadcastConnected(connected: boolean): void {
    this.#channel?.postMessage({ connected } satisfies TabMessage);
    this.#setConnected(connected);
  }

  #setConnected(connected: boolean): void {
    if (connected === this.#connected) return;
    this.#connected = connected;
    for (const changed of this.#watchers) changed();
  }
}

/** Waits `ms`, or until the network is back, the page becomes visible or `signal` aborts. */
function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((done) => {
    const over = () => {
      clearTimeout(timer);
      window.removeEventListener('online', over);
      document.removeEventListener('visibilitychange', looked);
      done();
    };
    const looked = () => document.visibilityState === 'visible' && over();
    const timer = setTimeout(over, ms);
    window.addEventListener('online', over);
    document.addEventListener('visibilitychange', looked);
    signal.addEventListener('abort', over, { once: true });
  });
}

const live = new Live();

/** Keeps open screens current: the server reports what changed, the screen refetches it. */
export function useLive(signedOut: () => void, enabled = true): void {
  useEffect(() => (enabled ? live.start(signedOut) : undefined), [signedOut, enabled]);
}

/** Whether live updates are connected. */
export function useConnected(): boolean {
  return useSyncExternalStore(live.watch, live.connected, () => true);
}

/** Recently changed records by id, with the time of the event. */
export function recentChanges(): ReadonlyMap<string, number> {
  return live.recent();
}
