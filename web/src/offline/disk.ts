// What is kept on the device. Measured in Chromium: what IndexedDB has said to be written with strict
// durability outlives a killed browser; what was put into localStorage in the last seconds does not.

export type Shelf = 'pending' | 'aside' | 'cache' | 'meta';
const SHELVES: readonly Shelf[] = ['pending', 'aside', 'cache', 'meta'];

export interface Device {
  id: string;
  /** The number given out last. */
  seq: number;
}

export type Row = readonly [key: string, value: unknown];

/** Something that remembers; what a promise has answered for stays after a power cut. */
export interface Disk {
  get(shelf: Shelf, key: string): Promise<unknown>;
  all(shelf: Shelf): Promise<Row[]>;
  keys(shelf: Shelf): Promise<string[]>;
  put(shelf: Shelf, key: string, value: unknown): Promise<void>;
  /** Writes some and removes others: all of it or nothing. */
  change(shelf: Shelf, puts: readonly Row[], removes: readonly string[]): Promise<void>;
  /** Removes every key that begins with this, but not those to be kept. */
  sweep(shelf: Shelf, prefix: string, keep?: (key: string) => boolean): Promise<void>;
  /** Takes `numbers` of the device and writes in one step, so that no two tabs get the same. */
  append(numbers: number, make: (device: Device) => Row): Promise<Device>;
  /** What this device is called. */
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

  get(shelf: Shelf, key: string): Promise<unknown> {
    return this.#within([shelf], 'readonly', (on) => ask(on(shelf).get(key)));
  }

  all(shelf: Shelf): Promise<Row[]> {
    return this.#within([shelf], 'readonly', async (on) => {
      const [keys, values] = await Promise.all([
        ask(on(shelf).getAllKeys()),
        ask(on(shelf).getAll()),
      ]);
      return keys.map((key, i) => [String(key), values[i]] as const);
    });
  }

  keys(shelf: Shelf): Promise<string[]> {
    return this.#within([shelf], 'readonly', async (on) =>
      (await ask(on(shelf).getAllKeys())).map(String),
    );
  }

  put(shelf: Shelf, key: string, value: unknown): Promise<void> {
    return this.change(shelf, [[key, value]], []);
  }

  change(shelf: Shelf, puts: readonly Row[], removes: readonly string[]): Promise<void> {
    return this.#within([shelf], 'readwrite', async (on) => {
      for (const [key, value] of puts) on(shelf).put(value, key);
      for (const key of removes) on(shelf).delete(key);
    });
  }

  sweep(shelf: Shelf, prefix: string, keep?: (key: string) => boolean): Promise<void> {
    return this.#within([shelf], 'readwrite', async (on) => {
      const range = IDBKeyRange.bound(prefix, `${prefix}\uffff`);
      const keys = await ask(on(shelf).getAllKeys(range));
      for (const key of keys) if (!keep?.(String(key))) on(shelf).delete(key);
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

  /** Answers when the browser has answered for the whole transaction. */
  async #within<T>(
    shelves: readonly Shelf[],
    mode: IDBTransactionMode,
    work: (on: (shelf: Shelf) => IDBObjectStore) => Promise<T>,
    again = true,
  ): Promise<T> {
    const database = await this.#open();
    let transaction: IDBTransaction;
    try {
      transaction = database.transaction([...shelves], mode, { durability: 'strict' });
    } catch (error) {
      // Phones close databases behind a page that slept.
      this.#opening = undefined;
      if (again && error instanceof DOMException && error.name === 'InvalidStateError') {
        return this.#within(shelves, mode, work, false);
      }
      throw error;
    }
    const ended = new Promise<void>((done, fail) => {
      transaction.oncomplete = () => done();
      transaction.onabort = () => fail(transaction.error ?? new DOMException('', 'AbortError'));
    });
    // Whichever fails first is the one told; the other must not count as unhandled.
    ended.catch(() => {});
    let result: T;
    try {
      result = await work((shelf) => transaction.objectStore(shelf));
    } catch (error) {
      try {
        transaction.abort();
      } catch {
        // Over already.
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
        for (const shelf of SHELVES) opening.result.createObjectStore(shelf);
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
