// The second copy of pending records: synchronous to read and write, but not sure to survive a crash.

export interface Mirror {
  all(prefix: string): [key: string, value: unknown][];
  keys(prefix: string): string[];
  /** A value that is not JSON is returned as text, so that it can be kept for examination. */
  get(key: string): unknown;
  /** False when the storage is full or missing. */
  put(key: string, value: unknown): boolean;
  remove(key: string): void;
}

export class LocalMirror implements Mirror {
  readonly #storage: Storage | null;

  constructor(storage: Storage | null = own()) {
    this.#storage = storage;
  }

  all(prefix: string): [string, unknown][] {
    return this.keys(prefix).map((key) => [key, this.get(key)]);
  }

  keys(prefix: string): string[] {
    const found: string[] = [];
    try {
      for (let i = 0; i < (this.#storage?.length ?? 0); i += 1) {
        const key = this.#storage?.key(i);
        if (key?.startsWith(prefix)) found.push(key);
      }
    } catch {
      // Storage that cannot be read was never written.
    }
    return found;
  }

  get(key: string): unknown {
    try {
      return parsed(this.#storage?.getItem(key) ?? '');
    } catch {
      return '';
    }
  }

  put(key: string, value: unknown): boolean {
    try {
      this.#storage?.setItem(key, JSON.stringify(value));
      return this.#storage !== null;
    } catch {
      return false;
    }
  }

  remove(key: string): void {
    try {
      this.#storage?.removeItem(key);
    } catch {
      // Storage that cannot be written holds nothing.
    }
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

function own(): Storage | null {
  try {
    return globalThis.localStorage ?? null;
  } catch {
    return null;
  }
}
