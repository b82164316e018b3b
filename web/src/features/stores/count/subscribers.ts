// Subscriptions by id, so that each row is notified only about itself.

type Listener = () => void;

export class Subscribers {
  readonly #byId = new Map<string, Set<Listener>>();
  readonly #all = new Set<Listener>();

  /** Subscribes to every change; returns the function that unsubscribes. */
  subscribe = (listener: Listener): (() => void) => {
    this.#all.add(listener);
    return () => this.#all.delete(listener);
  };

  /** Subscribes to changes of this id. */
  subscribeTo(id: string, listener: Listener): () => void {
    const known = this.#byId.get(id) ?? new Set();
    known.add(listener);
    this.#byId.set(id, known);
    return () => known.delete(listener);
  }

  notify(ids: Iterable<string>): void {
    for (const id of ids) for (const listener of this.#byId.get(id) ?? []) listener();
    for (const listener of this.#all) listener();
  }
}
