import type { QueryKey } from '@tanstack/react-query';
import { useEffect, useSyncExternalStore } from 'react';
import { recordKinds } from '#/records';
import { answerable, queries } from './queries';
import { reach } from './reach';
import { ME, whoIsHere } from './session';
import { backOff, type Message, Refused, read } from './stream';

export interface LiveEvent {
  kind: string;
  id: string;
  storeId?: string | null;
  action: string;
}

/** What a change made by anyone makes stale on this screen. */
export function staleKeys({ kind, id }: LiveEvent): QueryKey[] {
  const slug = recordKinds[kind]?.slug;
  if (slug) {
    // Stores have their own pages, and with them their own questions.
    const own: QueryKey = kind === 'location' ? ['stores'] : ['lists', slug];
    return [
      own,
      ['lists', 'hub'],
      ['names', slug],
      ['history'],
      ['search'],
      ...(SHOWN_IN[kind] ?? []),
    ];
  }
  switch (kind) {
    case 'stock':
      return [['lists', 'products']];
    case 'companyDocument':
      return [['lists', 'companies']];
    case 'importBatch':
      return [['import-data']];
    case 'job':
      return [['jobs', id]];
    case 'storeCount':
    case 'storeCountHeld':
    case 'storeCountSession':
      return [
        ['store-count', 'entries'],
        ['store-count', 'state'],
        ['store-count', 'held'],
        ['stores', 'inventory'],
      ];
    case 'storeCountSettings':
      return [['store-count']];
  }
  if (/sales|batch/i.test(kind)) return [['import-sales'], ['reports']];
  // Who has which role, who waits, who is here and what happened hang together.
  if (/^(user|role|application|session)$/.test(kind)) return [['people'], ['history'], ['search']];
  return [];
}

/** Where else a kind's records are seen by more than their names. */
const SHOWN_IN: Readonly<Record<string, readonly QueryKey[]>> = {
  account: [['lists', 'products']],
  rootItem: [['lists', 'recipes', 'costs']],
};

const PATH = '/api/live';
/** A connection that held this long was a good one: the next try comes at once. */
const GOOD_MS = 5_000;
/** An import changes thousands of rows at once; one refetch a moment later is enough. */
const GATHER_MS = 150;
/** How long a change is news: its rows are fetched and marked meanwhile. */
const NEWS_MS = 3_000;
/** When this much changes at once, nothing stands out by being marked. */
const MOST_NEWS = 200;

type Heard = Pick<Message, 'id' | 'event' | 'data'>;

/** What the tab that listens tells the others. */
type Told = { heard: Heard } | { connected: boolean };

const NOTHING: ReadonlyMap<string, number> = new Map();

/**
 * One tab listens for all of this browser's, because each stream holds a connection and browsers
 * give an address only six. The lock moves to another tab when that one goes.
 */
class Live {
  #lastId = '';
  #opens = 0;
  #connected = true;
  readonly #watching = new Set<() => void>();
  readonly #waiting = new Map<string, QueryKey>();
  /** Of what was heard since the last refetch, the records that are no more. */
  readonly #gone = new Set<string>();
  readonly #news = new Map<string, number>();
  #timer: ReturnType<typeof setTimeout> | undefined;
  #signedOut: () => void = () => {};
  readonly #tabs = 'BroadcastChannel' in globalThis ? new BroadcastChannel('larder-live') : null;

  constructor() {
    this.#tabs?.addEventListener('message', ({ data }: MessageEvent<Told>) => {
      if ('heard' in data) this.#take(data.heard);
      else this.#set(data.connected);
    });
  }

  /** Listens until told to stop. */
  start(signedOut: () => void): () => void {
    this.#signedOut = signedOut;
    const stop = new AbortController();
    const listen = () => this.#listen(stop.signal);
    const own = navigator.locks
      ? navigator.locks.request('larder-live', { signal: stop.signal }, listen)
      : listen();
    // Stopping breaks off both the waiting for the lock and the reading.
    Promise.resolve(own).catch(() => {});
    return () => {
      stop.abort();
      clearTimeout(this.#timer);
      this.#timer = undefined;
      this.#waiting.clear();
      this.#gone.clear();
    };
  }

  watch = (changed: () => void): (() => void) => {
    this.#watching.add(changed);
    return () => this.#watching.delete(changed);
  };

  connected = (): boolean => this.#connected;

  /** The records that were changed a moment ago, and when that was heard. */
  news(): ReadonlyMap<string, number> {
    const old = Date.now() - NEWS_MS;
    for (const [id, at] of this.#news) if (at < old) this.#news.delete(id);
    return this.#news.size > MOST_NEWS ? NOTHING : this.#news;
  }

  async #listen(signal: AbortSignal): Promise<void> {
    let failures = 0;
    while (!signal.aborted) {
      let openedAt = 0;
      try {
        const opened = () => {
          reach.found();
          openedAt = Date.now();
          this.#opened();
        };
        const message = (heard: Message) => {
          this.#tabs?.postMessage({ heard } satisfies Told);
          this.#take(heard);
        };
        await read(PATH, this.#lastId, { opened, message }, signal);
      } catch (error) {
        if (signal.aborted) return;
        if (error instanceof Refused && error.status === 401) {
          this.#signedOut();
          return;
        }
      }
      if (signal.aborted) return;
      this.#tell(false);
      const good = openedAt > 0 && Date.now() - openedAt > GOOD_MS;
      failures = openedAt > 0 ? 0 : failures + 1;
      // A closed stream is how the server says that a session ended; it shows at once.
      if (openedAt > 0 && (await this.#ended())) return;
      await pause(good ? Math.random() * 300 : backOff(failures), signal);
    }
  }

  async #ended(): Promise<boolean> {
    const me = await whoIsHere().catch(() => undefined);
    return me === null;
  }

  #opened(): void {
    this.#tell(true);
    this.#opens += 1;
    // Nothing was heard yet that could be gone on from, so anything may have been missed.
    if (this.#opens > 1 && !this.#lastId) this.#stale([[]]);
  }

  #take({ id, event, data }: Heard): void {
    if (id) this.#lastId = id;
    this.#set(true);
    if (event === 'rights') {
      // What this user may do has changed, so every open screen may have; what no screen shows may
      // not be theirs any more.
      void queries.invalidateQueries({ queryKey: ME });
      queries.removeQueries({
        type: 'inactive',
        predicate: ({ queryKey }) => queryKey[0] !== ME[0],
      });
      this.#stale([[]]);
      return;
    }
    let change: LiveEvent;
    try {
      change = JSON.parse(data) as LiveEvent;
    } catch {
      return;
    }
    if (change.id) this.#news.set(change.id, Date.now());
    if (change.action === 'deleted') this.#gone.add(change.id);
    else this.#gone.delete(change.id);
    // Events may have been missed: everything on screen is asked for again.
    this.#stale(change.kind === '*' ? [[]] : staleKeys(change));
  }

  #stale(keys: readonly QueryKey[]): void {
    for (const key of keys) this.#waiting.set(JSON.stringify(key), key);
    if (this.#waiting.size === 0) return;
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      const gone = new Set(this.#gone);
      const predicate = (query: { queryKey: QueryKey }) => answerable(query.queryKey, gone);
      for (const queryKey of this.#waiting.values()) {
        void queries.invalidateQueries({ queryKey, predicate });
      }
      this.#waiting.clear();
      this.#gone.clear();
    }, GATHER_MS);
  }

  #tell(connected: boolean): void {
    this.#tabs?.postMessage({ connected } satisfies Told);
    this.#set(connected);
  }

  #set(connected: boolean): void {
    if (connected === this.#connected) return;
    this.#connected = connected;
    for (const changed of this.#watching) changed();
  }
}

/** Waits, but not when the network has just come back or somebody has just come to look. */
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

/** Keeps open screens current: the server names what changed, the screen asks for it again. */
export function useLive(signedOut: () => void, enabled = true): void {
  useEffect(() => (enabled ? live.start(signedOut) : undefined), [signedOut, enabled]);
}

/** Whether changes of others arrive at the moment. */
export function useConnected(): boolean {
  return useSyncExternalStore(live.watch, live.connected, () => true);
}

/** The records that anyone changed a moment ago, and when that was heard. */
export function changedLately(): ReadonlyMap<string, number> {
  return live.news();
}
