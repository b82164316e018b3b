// Durable storage of the device. Measured in Chromium: what IndexedDB reports as written with strict
// durability survives a killed browser; localStorage writes of the last seconds do not.

/** The object stores. They exist on devices: never rename one. */
export type StoreName = 'pending' | 'aside' | 'cache' | 'meta';
const STORE_NAMES: readonly StoreName[] = ['pending', 'aside', 'cache', 'meta'];

export interface Device {
  id: string;
  /** The last sequence number given out. */
  seq: number;
}

export type Row = readonly [key: string, value: unknown];

/** Key-value stores; once a promise resolves, the write survives a power cut. */
export interface Disk {
  get(store: StoreName, key: string): Promise<unknown>;
  all(store: StoreName): Promise<Row[]>;
  keys(store: StoreName): Promise<string[]>;
  put(store: StoreName, key: string, value: unknown): Promise<void>;
  /** Writes and removes in one transaction. */
  change(store: StoreName, puts: readonly Row[], removes: readonly string[]): Promise<void>;
  /** Removes every key that begins with `prefix`, except those for which `keep` is true. */
  sweep(store: StoreName, prefix: string, keep?: (key: string) => boolean): Promise<void>;
  /** Draws `numbers` sequence numbers and writes to «pending» in one transaction, so that two tabs never get the same. */
  append(numbers: number, make: (device: Device) => Row): Promise<Device>;
  /** The id of this device. */
  device(): Promise<string>;
}

const DATABASE = 'larder';
const DEVICE = 'device';

export class IndexedDisk implements Disk {
  #opening: Promise<IDBDatabase> | undefined;
  readonly #newDevice: () => string;

  constructor(newDevice: () => string) {
    this.#newDevice = newDevice;
  }

  get(store: StoreName, key: string): Promise<unknown> {
    return this.#within([store], 'readonly', (on) => ask(on(store).get(key)));
  }

  all(store: StoreName): Promise<Row[]> {
    return this.#within([store], 'readonly', async (on) => {
      const [keys, values] = await Promise.all([
        ask(on(store).getAllKeys()),
        ask(on(store).getAll()),
      ]);
      return keys.map((key, i) => [String(key), values[i]] as const);
    });
  }

  keys(store: StoreName): Promise<string[]> {
    return this.#within([store], 'readonly', async (on) =>
      (await ask(on(store).getAllKeys())).map(String),
    );
  }

  put(store: StoreName, key: string, value: unknown): Promise<void> {
    return this.change(store, [[key, value]], []);
  }

  change(store: StoreName, puts: readonly Row[], removes: readonly string[]): Promise<void> {
    return this.#within([store], 'readwrite', async (on) => {
      for (const [key, value] of puts) on(store).put(value, key);
      for (const key of removes) on(store).delete(key);
    });
  }

  sweep(store: StoreName, prefix: string, keep?: (key: string) => boolean): Promise<void> {
    return this.#within([store], 'readwrite', async (on) => {
      const range = IDBKeyRange.bound(prefix, `${prefix}\uffff`);
      const keys = await ask(on(store).getAllKeys(range));
      for (const key of keys) if (!keep?.(String(key))) on(store).delete(key);
    });
  }

  append(numbers: number, make: (device: Device) => Row): Promise<Device> {
    return this.#within(['meta', 'pending'], 'readwrite', async (on) => {
      const known = (await ask(on('meta').get(DEVICE))) as Device | undefined;
      const device = known ?? { id: this.#newDevice(), seq: 0 };
      const [key, value] = make(device);
      on('meta').put({ id: device.id, seq: device.seq + numbers }, DEVICE);
      on('pending').put(value, key);
      return device;
    });
  }

  device(): Promise<string> {
    return this.#within(['meta'], 'readwrite', async (on) => {
      const known = (await ask(on('meta').get(DEVICE))) as Device | undefined;
      if (known) return known.id;
      const made: Device = { id: this.#newDevice(), seq: 0 };
      on('meta').put(made, DEVICE);
      return made.id;
    });
  }

  /** Resolves when the whole transaction is committed. */
  async #within<T>(
    stores: readonly StoreName[],
    mode: IDBTransactionMode,
    work: (on: (store: StoreName) => IDBObjectStore) => Promise<T>,
    again = true,
  ): Promise<T> {
    const database = await this.#open();
    let transaction: IDBTransaction;
    try {
      transaction = database.transaction([...stores], mode, { durability: 'strict' });
    } catch (error) {
      // Phones close databases of a page that was suspended: open it again, once.
      this.#opening = undefined;
      if (again && error instanceof DOMException && error.name === 'InvalidStateError') {
        return this.#within(stores, mode, work, false);
      }
      throw error;
    }
    const ended = new Promise<void>((done, fail) => {
      transaction.oncomplete = () => done();
      transaction.onabort = () => fail(transaction.error ?? new DOMException('', 'AbortError'));
    });
    // The first failure is the one thrown; this one must not count as an unhandled rejection.
    ended.catch(() => {});
    let result: T;
    try {
      result = await work((store) => transaction.objectStore(store));
    } catch (error) {
      try {
        transaction.abort();
      } catch {
        // The transaction has already ended.
      }
      throw error;
    }
    await ended;
    return result;
  }

  #open(): Promise<IDBDatabase> {
    this.#opening ??= new Promise<IDBDatabase>((done, fail) => {
      const opening = indexedDB.open(DATABASE, 1);
      opening.onupgradeneeded = () => {
        for (const store of STORE_NAMES) opening.result.createObjectStore(store);
      };
      opening.onsuccess = () => {
        const database = opening.result;
        const closed = () => {
          this.#opening = undefined;
        };
        database.onversionchange = () => {
          database.close();
          closed();
        };
        database.onclose = closed;
        done(database);
      };
      opening.onerror = () => fail(opening.error);
    }).catch((error: unknown) => {
      this.#opening = undefined;
      throw error;
    });
    return this.#opening;
  }
}

function ask<T>(request: IDBRequest<T>): Promise<T> {
  return new Promise((done, fail) => {
    request.onsuccess = () => done(request.result);
    request.onerror = () => fail(request.error);
  });
}
