// Which item is being counted. A move renders only the row that is left and the new one.
import { createContext, useCallback, useContext, useSyncExternalStore } from 'react';
import { Subscribers } from './subscribers';

export class Cursor {
  #current: string | null = null;
  readonly #subscribers = new Subscribers();
  readonly subscribe = this.#subscribers.subscribe;

  current = (): string | null => this.#current;

  moveTo(id: string | null): void {
    const before = this.#current;
    if (id === before) return;
    this.#current = id;
    this.#subscribers.notify([before, id].filter((one) => one !== null));
  }

  watch(id: string, listener: () => void): () => void {
    return this.#subscribers.subscribeTo(id, listener);
  }
}

export const CursorContext = createContext<Cursor | null>(null);

function useCursor(): Cursor {
  const cursor = useContext(CursorContext);
  if (!cursor) throw new Error('a row needs to know what is being counted');
  return cursor;
}

/** Whether this item is being counted. */
export function useIsActive(id: string): boolean {
  const cursor = useCursor();
  const watch = useCallback((listener: () => void) => cursor.watch(id, listener), [cursor, id]);
  return useSyncExternalStore(watch, () => cursor.current() === id);
}

/** The id of the item that is being counted. */
export function useActiveItemId(): string | null {
  const cursor = useCursor();
  return useSyncExternalStore(cursor.subscribe, cursor.current);
}

/** Whether any item is being counted. */
export function useIsCounting(cursor: Cursor): boolean {
  return useSyncExternalStore(cursor.subscribe, () => cursor.current() !== null);
}
