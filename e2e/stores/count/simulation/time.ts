// The time of a simulated world. It stands still while anything is at work, and then jumps to the next timer: hours
// pass in seconds, and things happen in the same order each time.

interface Due {
  at: number;
  turn: number;
  work(): void;
  /** Whose page has to be alive for it. */
  owner: { readonly alive: boolean } | null;
}

export class Time {
  /** Milliseconds since 1970, of a clock that is right. */
  now = Date.now();
  readonly #due = new Map<number, Due>();
  #turns = 0;
  #busy = 0;
  #events = 0;
  readonly #waits = new Set<Promise<unknown>>();

  /** Runs `work` in `ms`; returns the id to cancel it. */
  after(ms: number, work: () => void, owner: Due['owner'] = null): number {
    this.#turns += 1;
    this.#due.set(this.#turns, { at: this.now + Math.max(0, ms), turn: this.#turns, work, owner });
    return this.#turns;
  }

  cancel(id: number): void {
    this.#due.delete(id);
  }

  /** Counts work that ends by itself, such as a transaction; returns the function to call at its end. */
  begin(): () => void {
    this.#busy += 1;
    let ended = false;
    return () => {
      if (ended) return;
      ended = true;
      this.#busy -= 1;
      this.#events += 1;
    };
  }

  /** Lets the world wait for a real request. */
  during<T>(work: Promise<T>): Promise<T> {
    this.#waits.add(work);
    const over = () => {
      this.#waits.delete(work);
      this.#events += 1;
    };
    work.then(over, over);
    return work;
  }

  /** Waits until nothing more happens without time passing. */
  async settle(): Promise<void> {
    for (let quiet = 0; quiet < 3; ) {
      const before = this.#events;
      if (this.#waits.size > 0) await Promise.race([...this.#waits].map((wait) => wait.catch(() => {})));
      await new Promise((done) => setImmediate(done));
      quiet = this.#busy === 0 && this.#waits.size === 0 && before === this.#events ? quiet + 1 : 0;
    }
  }

  /** Lets `ms` pass, with all that is due in them. */
  async pass(ms: number): Promise<void> {
    const until = this.now + ms;
    await this.settle();
    for (let next = this.#next(until); next; next = this.#next(until)) {
      this.#due.delete(next.turn);
      if (next.owner && !next.owner.alive) continue;
      this.now = Math.max(this.now, next.at);
      next.work();
      await this.settle();
    }
    this.now = until;
  }

  #next(until: number): Due | null {
    let first: Due | null = null;
    for (const due of this.#due.values()) {
      if (due.at <= until && (!first || due.at < first.at || (due.at === first.at && due.turn < first.turn))) first = due;
    }
    return first;
  }
}
