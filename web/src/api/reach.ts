// Whether the server can be reached, as the last request that was answered, or was not, has told. What the browser
// thinks of its network is only a hint: a freezer's wall is none to it, and a network without a server behind it is one.
import { useSyncExternalStore } from 'react';

/** How soon it is tried again, and then again; the last one from there on. */
const TRIES_MS = [500, 1_000, 2_000, 4_000, 5_000];
/** Whoever looks for it must not wait for an answer that never comes. */
const PATIENCE_MS = 4_000;

class Reach {
  #away = false;
  #tries = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;
  readonly #watching = new Set<() => void>();
  readonly #found = new Set<() => void>();

  constructor() {
    if (typeof window === 'undefined') return;
    window.addEventListener('offline', () => this.lost());
    window.addEventListener('online', () => this.#away && this.#soon());
    document.addEventListener('visibilitychange', () => this.#away && this.#soon());
  }

  isAway = (): boolean => this.#away;

  watch = (changed: () => void): (() => void) => {
    this.#watching.add(changed);
    return () => this.#watching.delete(changed);
  };

  /** Hears when it is back. */
  onFound(hear: () => void): () => void {
    this.#found.add(hear);
    return () => this.#found.delete(hear);
  }

  /** Nobody answered. */
  lost(): void {
    if (this.#away) return;
    this.#away = true;
    this.#tries = 0;
    this.#tell();
    this.#later();
  }

  /** Somebody answered, whatever it was. */
  found(): void {
    clearTimeout(this.#timer);
    if (!this.#away) return;
    this.#away = false;
    this.#tell();
    for (const hear of this.#found) hear();
  }

  #soon(): void {
    this.#tries = 0;
    void this.#look();
  }

  #later(): void {
    clearTimeout(this.#timer);
    const ms = TRIES_MS[Math.min(this.#tries, TRIES_MS.length - 1)];
    this.#tries += 1;
    this.#timer = setTimeout(() => void this.#look(), ms);
  }

  async #look(): Promise<void> {
    clearTimeout(this.#timer);
    // A browser that knows it has no network says so when it has one; nobody looks at a hidden page.
    if (!navigator.onLine || document.visibilityState === 'hidden') return;
    const signal = AbortSignal.timeout(PATIENCE_MS);
    const answered = await fetch('/healthz', { cache: 'no-store', signal }).then(
      isAnswer,
      () => false,
    );
    if (answered) this.found();
    else if (this.#away) this.#later();
  }

  #tell(): void {
    for (const changed of this.#watching) changed();
  }
}

/** Whether it came from the server: a proxy says with these that nobody is behind it, unless the words are our own. */
export function isAnswer({ status, headers }: Response): boolean {
  if (![502, 503, 504].includes(status)) return true;
  return headers.get('content-type')?.includes('problem+json') === true;
}

export const reach = new Reach();

/** Whether nobody answers at the moment. */
export function useAway(): boolean {
  return useSyncExternalStore(reach.watch, reach.isAway, () => false);
}
