// Who wants to know about what: each row hears only about itself.

type Hear = () => void;

export class Hearers {
  readonly #of = new Map<string, Set<Hear>>();
  readonly #all = new Set<Hear>();

  /** Hears whatever happens, until the returned function is called. */
  all = (hear: Hear): (() => void) => {
    this.#all.add(hear);
    return () => this.#all.delete(hear);
  };

  /** Hears only what is told of this one. */
  of(id: string, hear: Hear): () => void {
    const known = this.#of.get(id) ?? new Set();
    known.add(hear);
    this.#of.set(id, known);
    return () => known.delete(hear);
  }

  tell(ids: Iterable<string>): void {
    for (const id of ids) for (const hear of this.#of.get(id) ?? []) hear();
    for (const hear of this.#all) hear();
  }
}
