// The types between an outbox and its users: what it sends, and what it reports about it.

export type Outcome = 'applied' | 'superseded' | 'duplicate' | 'held' | 'rejected';

/** What the server said about one entry. */
export interface Answer {
  op: string;
  outcome: Outcome;
  heldFor?: string | null;
  reason?: string | null;
  revision?: number | null;
  /** For a held one: what the server asks before it accepts it, to be shown to the user. */
  question?: unknown;
}

/** How one kind of record is stored and sent. The outbox knows nothing else about its records. */
export interface WriteQueue<R> {
  name: string;
  /** What one entry is called on screen. */
  one?: string;
  /** Prefixes of the keys in the mirror (localStorage). Devices hold data under them: never change them. */
  pendingKey: string;
  quarantineKey: string;
  /** Parses a stored value; null when it is not a valid record. */
  read(value: unknown): R | null;
  ops(record: R): readonly string[];
  /** The record reduced to these entries. */
  pick(record: R, ops: ReadonlySet<string>): R;
  /** Records with an equal key may be sent in one request and compacted into one. */
  groupKey(record: R): string;
  /** Merges records of one group; the entries stay as they are. */
  join(records: readonly R[]): R;
  /** False for a record only another user can send: it waits for them. */
  sendable?(record: R): boolean;
  /** Groups do not wait for each other: one that fails does not block the others. */
  independent?: true;
  /** Resolves to one answer for each entry; rejects with a `Problem`. */
  send(record: R): Promise<readonly Answer[]>;
}

export interface QueuedRecord<R> {
  id: string;
  record: R;
}

/**
 * A record the server refused, or that could not be read: it stays on the device with its reason
 * until the user decides. It is stored as it is here, so its field names must not change.
 */
export interface AsideRecord<R> {
  id: string;
  /** The name of its queue. */
  lane: string;
  kind: 'held' | 'rejected' | 'unreadable';
  reason: string;
  heldFor?: string | null;
  /** What the server asks before it accepts it. */
  question?: unknown;
  at: number;
  /** One entry; null when it could not be read. */
  record: R | null;
  raw?: unknown;
}

export interface AnsweredRecord<R> {
  record: R;
  answer: Answer;
}

export type SavedPlace = 'disk' | 'mirror' | 'nowhere';

export interface SavedRecord<R> extends QueuedRecord<R> {
  place: SavedPlace;
}

export type StopReason = 'offline' | 'signIn' | 'refused' | 'busy';

export interface OutboxSnapshot<R> {
  /** Disk and mirror have been read. */
  ready: boolean;
  records: readonly QueuedRecord<R>[];
  /** Ids that neither the disk nor the mirror could store. */
  unsaved: ReadonlySet<string>;
  aside: readonly AsideRecord<R>[];
  /** Answered since this page was opened. */
  settled: readonly AnsweredRecord<R>[];
  sending: boolean;
  stopped: StopReason | null;
  sentAt: number | null;
}

export interface FlushResult {
  sent: number;
  held: number;
  superseded: number;
}
