// Whether the server can be reached, judged by the last request. `navigator.onLine` is only a hint: it stays true for a
// network without a server behind it.
import { useSyncExternalStore } from 'react';

/** The delays between probes; the last one repeats. */
const RETRY_MS = [500, 1_000, 2_000, 4_000, 5_000];
/** A probe may never be answered. */
const PROBE_TIMEOUT_MS = 4_000;

class Reachability {
  #unreachable = false;
  #tries = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;
  readonly #watchers = new Set<() => void>();
  readonly #onBack = new Set<() => void>();

  constructor() {
    if (typeof window === 'undefined') return;
    window.addEventListener('offline', () => this.markLost());
    window.addEventListener('online', () => this.#unreachable && this.#probeNow());
    document.addEventListener('visibilitychange', () => this.#unreachable && this.#probeNow());
  }

  isUnreachable = (): boolean => this.#unreachable;

  watch = (changed: () => void): (() => void) => {
    this.#watchers.add(changed);
    return () => this.#watchers.delete(changed);
  };

  /** Notifies when the server is reachable again; returns the function that unsubscribes. */
  onBack(listener: () => void): () => void {
    this.#onBack.add(listener);
    return () => this.#onBack.delete(listener);
  }

  /** Call when a request got no answer. */
  markLost(): void {
    if (this.#unreachable) return;
    this.#unreachable = true;
    this.#tries = 0;
    this.#notify();
    this.#probeLater();
  }

  /** Call when the server answered, whatever the status. */
  markFound(): void {
    clearTimeout(this.#timer);
    if (!this.#unreachable) return;
    this.#unreachable = false;
    this.#notify();
    for (const listener of this.#onBack) listener();
  }

  #probeNow(): void {
    this.#tries = 0;
    void this.#probe();
  }

  #probeLater(): void {
    clearTimeout(this.#timer);
    const ms = RETRY_MS[Math.min(this.#tries, RETRY_MS.length - 1)];
    this.#tries += 1;
    this.#timer = setTimeout(() => void this.#probe(), ms);
  }

  async #probe(): Promise<void> {
    clearTimeout(this.#timer);
    // No probes while offline or hidden: the `online` and `visibilitychange` events start them again.
    if (!navigator.onLine || document.visibilityState === 'hidden') return;
    const signal = AbortSignal.timeout(PROBE_TIMEOUT_MS);
    const answered = await fetch('/healthz', { cache: 'no-store', signal }).then(
      isAnswer,
      () => false,
    );
    if (answered) this.markFound();
    else if (this.#unreachable) this.#probeLater();
  }

  #notify(): void {
    for (const changed of this.#watchers) changed();
  }
}

/** Whether the server answered: proxies send 502 to 504 when it is down, but it sends problem+json itself. */
export function isAnswer({ status, headers }: Response): boolean {
  if (![502, 503, 504].includes(status)) return true;
  return headers.get('content-type')?.includes('problem+json') === true;
}

export const reachability = new Reachability();

/** Whether the server is unreachable at the moment. */
export function useUnreachable(): boolean {
  return useSyncExternalStore(reachability.watch, reachability.isUnreachable, () => false);
}
