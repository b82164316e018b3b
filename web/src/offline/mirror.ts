// The second copy: readable at once and written without waiting, but not sure to outlive a crash.

export interface Mirror {
  all(prefix: string): [key: string, value: unknown][];
  keys(prefix: string): string[];
  /** What cannot be read is handed on as the text it is, so that it can be kept as evidence. */
  get(key: string): unknown;
  /** False when there is no room or no storage at all. */
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
      // Nothing can be read here, so nothing was kept here.
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
      // Not there, then.
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
