// A browser's storage that fails: IndexedDB of the package `fake-indexeddb`, and localStorage.

import { IDBFactory } from 'fake-indexeddb';
import type { Tab } from './browser.ts';

const full = () => new DOMException('The quota has been exceeded.', 'QuotaExceededError');
const broken = () => new DOMException('Internal error.', 'UnknownError');

/** What is wrong with a browser's storage at the moment. */
export interface StorageFaults {
  /** `full`: there is room for nothing more. `failing`: each write may fail. `broken`: neither reads nor writes. */
  disk: 'works' | 'full' | 'failing' | 'broken';
  mirrorIsFull: boolean;
}

type Handler = ((event: unknown) => void) | null;

/** A request of a page that has ended or of a transaction that failed: never answered. */
const silent = () => ({ onsuccess: null as Handler, onerror: null as Handler, result: undefined, error: null });

/** `indexedDB` as one tab sees it. */
export function databaseFor(tab: Tab) {
  return {
    open(name: string, version: number) {
      const seen: Record<string, unknown> = { ...silent(), onupgradeneeded: null };
      const call = (handler: string) => tab.alive && (seen[handler] as Handler)?.({});
      if (!tab.touch()) return seen;
      const { browser } = tab;
      if (browser.faults.disk === 'broken') {
        seen.error = broken();
        const done = browser.time.begin();
        setImmediate(() => {
          call('onerror');
          done();
        });
        return seen;
      }
      const { factory } = browser.storage;
      const real = factory.open(name, version);
      const done = browser.time.begin();
      real.onupgradeneeded = () => {
        seen.result = real.result;
        call('onupgradeneeded');
      };
      real.onsuccess = () => {
        const database = new TabDatabase(tab, real.result, factory);
        seen.result = database;
        if (tab.alive) tab.databases.add(database);
        call('onsuccess');
        done();
      };
      return seen;
    },
  };
}

export class TabDatabase {
  onclose: Handler = null;
  onversionchange: Handler = null;

  constructor(
    readonly tab: Tab,
    readonly real: IDBDatabase,
    readonly factory: IDBFactory,
  ) {}

  close(): void {
    this.tab.databases.delete(this);
  }

  transaction(stores: string[], mode: IDBTransactionMode): TabTransaction {
    const { tab } = this;
    const alive = tab.touch();
    if (alive && this.factory !== tab.browser.storage.factory) throw new DOMException('closed', 'InvalidStateError');
    if (alive && tab.browser.faults.disk === 'broken') throw broken();
    return new TabTransaction(tab, alive ? this.real.transaction(stores, mode) : null);
  }
}

/** A transaction that may fail, and that dies with its tab. */
export class TabTransaction {
  error: DOMException | null = null;
  oncomplete: Handler = null;
  onabort: Handler = null;
  #grows = 0;
  #judged = false;
  readonly #done: () => void;

  constructor(
    readonly tab: Tab,
    readonly real: IDBTransaction | null,
  ) {
    this.#done = real ? tab.browser.time.begin() : () => {};
    if (!real) return;
    tab.transactions.add(this);
    real.oncomplete = () => this.#end(true);
    real.onabort = () => this.#end(false);
  }

  #end(complete: boolean): void {
    this.tab.transactions.delete(this);
    // Committed, but the page may end before it hears of it.
    if (this.tab.touch()) (complete ? this.oncomplete : this.onabort)?.({});
    this.#done();
  }

  /** The tab ends: what was not committed never was. */
  kill(): void {
    this.abort();
    this.#done();
  }

  abort(): void {
    try {
      this.real?.abort();
    } catch {
      // It has ended already.
    }
  }

  #fail(error: DOMException): void {
    this.error = error;
    this.abort();
  }

  /** Whether the request goes through; the transaction is judged when all that it writes is known. */
  #asks(grows: number): boolean {
    if (!this.real || this.error || !this.tab.touch()) return false;
    this.#grows += grows;
    if (grows !== 0 && !this.#judged) {
      this.#judged = true;
      void Promise.resolve().then(() => this.#judge());
    }
    return true;
  }

  #judge(): void {
    const { faults, dice } = this.tab.browser;
    if (faults.disk === 'full' && this.#grows > 0) this.#fail(full());
    else if (faults.disk === 'failing' && dice.chance(50)) this.#fail(broken());
  }

  objectStore(name: string) {
    const request = (grows: number, work: (store: IDBObjectStore) => IDBRequest) =>
      this.#asks(grows) && this.real ? this.#heard(work(this.real.objectStore(name))) : silent();
    return {
      get: (key: IDBValidKey) => request(0, (store) => store.get(key)),
      getAll: () => request(0, (store) => store.getAll()),
      getAllKeys: (range?: IDBKeyRange) => request(0, (store) => store.getAllKeys(range)),
      put: (value: unknown, key: IDBValidKey) => request(1, (store) => store.put(value, key)),
      delete: (key: IDBValidKey) => request(-1, (store) => store.delete(key)),
    };
  }

  /** Answers reach the page only while it lives. */
  #heard(real: IDBRequest) {
    const seen: Record<string, unknown> = silent();
    real.onsuccess = () => {
      if (!this.tab.touch()) return;
      seen.result = real.result;
      (seen.onsuccess as Handler)?.({});
    };
    real.onerror = () => {
      seen.error = this.error ?? real.error;
      if (this.tab.alive) (seen.onerror as Handler)?.({});
    };
    return seen;
  }
}

/** What a browser stores; it outlives its tabs. */
export class BrowserStorage {
  factory = new IDBFactory();
  readonly texts = new Map<string, string>();
  /** The last changes of `texts`, with what was there before. */
  readonly #recent: { at: number; key: string; before: string | undefined }[] = [];

  forgetDatabase(): void {
    this.factory = new IDBFactory();
  }

  set(at: number, key: string, text: string | null): void {
    this.#recent.push({ at, key, before: this.texts.get(key) });
    if (text === null) this.texts.delete(key);
    else this.texts.set(key, text);
  }

  /** The browser was killed: localStorage is as it was then. */
  revertTexts(since: number): void {
    while ((this.#recent.at(-1)?.at ?? 0) >= since) {
      const { key, before } = this.#recent.pop() as { key: string; before: string | undefined };
      if (before === undefined) this.texts.delete(key);
      else this.texts.set(key, before);
    }
  }
}

/** `localStorage` as one tab sees it. */
export function textsFor(tab: Tab): Storage {
  const { storage, time } = tab.browser;
  return {
    get length() {
      return storage.texts.size;
    },
    key: (n) => [...storage.texts.keys()][n] ?? null,
    getItem: (key) => storage.texts.get(key) ?? null,
    setItem(key, text) {
      if (!tab.touch()) return;
      if (tab.browser.faults.mirrorIsFull) throw full();
      storage.set(time.now, key, String(text));
    },
    removeItem(key) {
      if (tab.touch()) storage.set(time.now, key, null);
    },
    clear() {
      throw new Error('the console never clears everything');
    },
  };
}
