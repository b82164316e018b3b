// Which item is being counted. A step draws the row that is left and the one that comes, and no other.
import { createContext, useCallback, useContext, useSyncExternalStore } from 'react';
import { Hearers } from './hearers';

export class Cursor {
  #at: string | null = null;
  readonly #hearers = new Hearers();
  readonly subscribe = this.#hearers.all;

  at = (): string | null => this.#at;

  go(id: string | null): void {
    const before = this.#at;
    if (id === before) return;
    this.#at = id;
    this.#hearers.tell([before, id].filter((one) => one !== null));
  }

  watch(id: string, hear: () => void): () => void {
    return this.#hearers.of(id, hear);
  }
}

export const CursorContext = createContext<Cursor | null>(null);

function useCursor(): Cursor {
  const cursor = useContext(CursorContext);
  if (!cursor) throw new Error('a row needs to know what is being counted');
  return cursor;
}

/** Whether this item is the one. */
export function useIsActive(id: string): boolean {
  const cursor = useCursor();
  const watch = useCallback((hear: () => void) => cursor.watch(id, hear), [cursor, id]);
  return useSyncExternalStore(watch, () => cursor.at() === id);
}

/** The item that is being counted. */
export function useActive(): string | null {
  const cursor = useCursor();
  return useSyncExternalStore(cursor.subscribe, cursor.at);
}

/** Whether any is. */
export function useIsCounting(cursor: Cursor): boolean {
  return useSyncExternalStore(cursor.subscribe, () => cursor.at() !== null);
}
