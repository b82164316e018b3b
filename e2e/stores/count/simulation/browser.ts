// Browsers on simulated devices. A tab is a global scope of its own in which the page's script runs; it can end between
// any two calls of the platform. What it stored stays in its browser.

import { createContext, runInContext, Script } from 'node:vm';
import { IDBKeyRange } from 'fake-indexeddb';
import type { Dice } from './dice.ts';
import type { Network } from './network.ts';
import type { Page } from './page.ts';
import { BrowserStorage, databaseFor, type StorageFaults, type TabDatabase, type TabTransaction, textsFor } from './storage.ts';
import type { Time } from './time.ts';

/** In Chromium, localStorage of so long may be lost with the browser. */
const UNWRITTEN_MS = 40_000;

interface Held {
  tab: Tab;
  run(): void;
}

interface Channel {
  tab: Tab;
  name: string;
  listeners: Set<(event: { data: unknown }) => void>;
}

/** One device's browser. */
export class Browser {
  readonly storage = new BrowserStorage();
  readonly faults: StorageFaults = { disk: 'works', mirrorIsFull: false };
  readonly tabs: Tab[] = [];
  readonly locks = new Map<string, Held[]>();
  readonly channels = new Set<Channel>();
  cookie = '';
  online = true;
  /** How far its clock is ahead, in milliseconds. */
  skew = 0;
  /** Its clock was set back, or its database wiped: with both, nothing says which of two counts came first. */
  wasSetBack = false;
  wasWiped = false;

  constructor(
    readonly name: string,
    readonly script: Script,
    readonly time: Time,
    readonly dice: Dice,
    readonly network: Network,
    /** Whether `navigator.locks` exists: old browsers lack it. */
    readonly hasLocks: boolean,
  ) {}

  get live(): Tab[] {
    return this.tabs.filter(({ alive }) => alive);
  }

  open(): Tab {
    const tab = new Tab(this);
    this.tabs.push(tab);
    return tab;
  }

  /** Ends all tabs; with `losing`, the last seconds of localStorage are lost, too. */
  kill(losing: boolean): void {
    for (const tab of this.live) tab.kill();
    if (losing) this.storage.revertTexts(this.time.now - UNWRITTEN_MS);
  }

  /** The browser gives up the database, also under open tabs; localStorage stays. */
  wipe(): void {
    this.wasWiped = true;
    this.storage.forgetDatabase();
    for (const database of this.live.flatMap((tab) => [...tab.databases])) {
      database.close();
      database.onclose?.({});
    }
  }
}

/** An open page. */
export class Tab {
  alive = true;
  /** How many more calls of the platform it lives for; null: on and on. */
  fuse: number | null = null;
  readonly databases = new Set<TabDatabase>();
  readonly transactions = new Set<TabTransaction>();
  readonly page: Page;

  constructor(readonly browser: Browser) {
    const scope = createContext(this.#globals());
    runInContext(CLOCK, scope);
    browser.script.runInContext(scope);
    this.page = (scope as unknown as { page: Page }).page;
  }

  /** Called whenever the page uses the platform; false once it has ended. */
  touch(): boolean {
    if (this.alive && this.fuse !== null) {
      this.fuse -= 1;
      if (this.fuse <= 0) this.kill();
    }
    return this.alive;
  }

  kill(): void {
    if (!this.alive) return;
    this.alive = false;
    for (const transaction of [...this.transactions]) transaction.kill();
    const { channels, locks } = this.browser;
    for (const channel of channels) if (channel.tab === this) channels.delete(channel);
    for (const [name, queue] of locks) {
      const first = queue[0];
      const left = queue.filter(({ tab }) => tab !== this);
      locks.set(name, left);
      if (first?.tab === this) left[0]?.run();
    }
  }

  #globals(): Record<string, unknown> {
    const { time, network, hasLocks } = this.browser;
    const tab = this;
    const events = new EventTarget();
    const timer =
      (again: boolean) =>
      (work: (...given: unknown[]) => void, ms = 0, ...given: unknown[]) => {
        const run = () => {
          if (again) ids.set(id, time.after(Math.max(1, ms), run, tab));
          if (tab.touch()) work(...given);
        };
        const id = time.after(ms, run, tab);
        ids.set(id, id);
        return id;
      };
    const ids = new Map<number, number>();
    const cancel = (id: number) => time.cancel(ids.get(id) ?? -1);
    const setTimer = timer(false);
    const scope: Record<string, unknown> = {
      __now: () => time.now + tab.browser.skew,
      console,
      document: { visibilityState: 'visible', addEventListener() {}, removeEventListener() {}, querySelectorAll: () => [] },
      navigator: {
        get onLine() {
          return tab.browser.online;
        },
        ...(hasLocks ? { locks: { request: (name: string, ...given: unknown[]) => this.#lock(name, given) } } : {}),
      },
      localStorage: textsFor(this),
      indexedDB: databaseFor(this),
      IDBKeyRange,
      BroadcastChannel: this.#channelClass(),
      fetch: (path: string, init: RequestInit = {}) => network.fetch(tab, path, init),
      setTimeout: setTimer,
      setInterval: timer(true),
      clearTimeout: cancel,
      clearInterval: cancel,
      requestAnimationFrame: (work: () => void) => setTimer(work, 16),
      queueMicrotask,
      performance: { now: () => time.now },
      // Names of devices are unlike each time: the server knows those of the story's last run.
      crypto: { getRandomValues: (bytes: Uint8Array<ArrayBuffer>) => crypto.getRandomValues(bytes) },
      addEventListener: events.addEventListener.bind(events),
      removeEventListener: events.removeEventListener.bind(events),
      dispatchEvent: events.dispatchEvent.bind(events),
      AbortSignal: { timeout: (ms: number) => timeoutSignal(ms, setTimer) },
      ...{ AbortController, Blob, CustomEvent, DOMException, Event, Headers, Request, Response, URL, URLSearchParams },
      structuredClone,
      reportError: (error: unknown) => network.complain(error),
    };
    scope.window = scope;
    scope.self = scope;
    return scope;
  }

  #lock(name: string, given: unknown[]): Promise<unknown> {
    if (!this.touch()) return new Promise(() => {});
    const work = given.at(-1) as (lock: unknown) => Promise<unknown>;
    const { ifAvailable } = (given.length > 1 ? given[0] : {}) as { ifAvailable?: boolean };
    const queue = this.browser.locks.get(name) ?? [];
    if (ifAvailable && queue.length > 0) return Promise.resolve(work(null));
    return new Promise((done, fail) => {
      const held: Held = {
        tab: this,
        run: () => {
          const release = () => {
            const now = this.browser.locks.get(name) ?? [];
            if (now[0] !== held) return;
            now.shift();
            now[0]?.run();
          };
          Promise.resolve(work({ name })).then(done, fail).finally(release);
        },
      };
      queue.push(held);
      this.browser.locks.set(name, queue);
      if (queue[0] === held) held.run();
    });
  }

  #channelClass() {
    const tab = this;
    const { channels, time } = this.browser;
    return class {
      readonly #own: Channel;
      constructor(name: string) {
        this.#own = { tab, name, listeners: new Set() };
        channels.add(this.#own);
      }
      addEventListener(_: string, listener: (event: { data: unknown }) => void): void {
        this.#own.listeners.add(listener);
      }
      removeEventListener(_: string, listener: (event: { data: unknown }) => void): void {
        this.#own.listeners.delete(listener);
      }
      postMessage(data: unknown): void {
        if (!tab.touch()) return;
        for (const other of channels) {
          if (other === this.#own || other.name !== this.#own.name) continue;
          time.after(1, () => other.listeners.forEach((listener) => listener({ data })), other.tab);
        }
      }
    };
  }
}

/** Like `AbortSignal.timeout`, by the world's time. */
function timeoutSignal(ms: number, setTimer: (work: () => void, ms: number) => unknown): AbortSignal {
  const controller = new AbortController();
  setTimer(() => controller.abort(new DOMException('The request took too long.', 'TimeoutError')), ms);
  return controller.signal;
}

/** The page's `Date` is the device's clock. */
const CLOCK = `{
  const Real = Date;
  globalThis.Date = class extends Real {
    constructor(...given) {
      if (given.length === 0) super(__now());
      else super(...given);
    }
    static now() {
      return __now();
    }
  };
}`;
