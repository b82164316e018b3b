// What an outbox sends and what it tells about it; the engine knows nothing else.

export type Outcome = 'applied' | 'superseded' | 'duplicate' | 'held' | 'rejected';

/** What the server said about one entry. */
export interface Answer {
  op: string;
  outcome: Outcome;
  heldFor?: string | null;
  reason?: string | null;
  revision?: number | null;
}

/** The kind of thing an outbox sends; the engine knows nothing else about it. */
export interface Lane<R> {
  name: string;
  /** Where the second copies lie. */
  pendingKey: string;
  quarantineKey: string;
  /** The record, or null when it is none. */
  read(value: unknown): R | null;
  ops(record: R): readonly string[];
  /** The record with only these entries. */
  only(record: R, ops: ReadonlySet<string>): R;
  /** Records may travel and be folded together when this is equal. */
  group(record: R): string;
  /** Several records of one group as one, entry by entry the same. */
  join(records: readonly R[]): R;
  /** One answer for each entry, or a `Problem`. */
  send(record: R): Promise<readonly Answer[]>;
}

export interface Kept<R> {
  id: string;
  record: R;
}

/** Refused or unreadable: it stays here, with the reason, until somebody decides. */
export interface Aside<R> {
  id: string;
  lane: string;
  kind: 'held' | 'rejected' | 'unreadable';
  reason: string;
  heldFor?: string | null;
  at: number;
  /** One entry; null when it could not be read. */
  record: R | null;
  raw?: unknown;
}

export interface Settled<R> {
  record: R;
  answer: Answer;
}

export type Place = 'disk' | 'mirror' | 'nowhere';

export interface Saved<R> extends Kept<R> {
  place: Place;
}

export type Stop = 'offline' | 'signIn' | 'refused' | 'busy';

export interface Snapshot<R> {
  /** Both stores were read. */
  ready: boolean;
  records: readonly Kept<R>[];
  /** Ids that neither store took. */
  unsaved: ReadonlySet<string>;
  aside: readonly Aside<R>[];
  /** Answered since this page was opened. */
  settled: readonly Settled<R>[];
  sending: boolean;
  stopped: Stop | null;
  sentAt: number | null;
}

export interface Synced {
  sent: number;
  held: number;
  superseded: number;
}
