// Undoable changes of this session; kept until undone or the record changes again.
import { useSyncExternalStore } from 'react';

export interface RecentChange {
  readonly id: string;
  /** What was done: «Product deleted». */
  readonly message: string;
  /** The name of the changed record. */
  readonly name?: string;
  readonly at: number;
  /** The address of its page. */
  readonly path: string;
  /** The records it changed. */
  readonly records: readonly string[];
  /** Its source; Ctrl+Z undoes only what its own page offered. */
  readonly owner?: object;
  undo(): Promise<unknown>;
}

const MAX_CHANGES = 20;

let changes: readonly RecentChange[] = [];
const listeners = new Set<() => void>();

function set(next: readonly RecentChange[]): void {
  changes = next;
  for (const listener of listeners) listener();
}

/** Without changes whose records are all among these: a record can go back only one step. */
const without = (records: readonly string[]) =>
  changes.filter(
    (change) =>
      change.records.length === 0 || !change.records.every((record) => records.includes(record)),
  );

export type NewChange = Pick<RecentChange, 'message' | 'name' | 'undo' | 'owner'> & {
  path?: string;
  records?: readonly string[];
};

export function addRecentChange(change: NewChange): void {
  const { path = location.pathname, records = [] } = change;
  const added = { ...change, id: crypto.randomUUID(), at: Date.now(), path, records };
  set([...without(records), added].slice(-MAX_CHANGES));
}

/** Undoes a change, once. */
export function undoChange(change: RecentChange): void {
  if (!changes.includes(change)) return;
  set(without(change.records).filter((other) => other !== change));
  void change.undo();
}

/** Undoes the last change of an owner. */
export function undoLastOf(owner: object): void {
  const last = changes.findLast((change) => change.owner === owner);
  if (last) undoChange(last);
}

/** Clears all: another user may sign in. */
export function forgetRecentChanges(): void {
  if (changes.length > 0) set([]);
}

export function recentChanges(): readonly RecentChange[] {
  return changes;
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export function useRecentChanges(): readonly RecentChange[] {
  return useSyncExternalStore(subscribe, recentChanges);
}
