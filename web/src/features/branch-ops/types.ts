// The types of the branch app, and of the records that wait on the device.
import type { components } from '#/api/schema.gen';

type Schemas = components['schemas'];

export type BranchToday = Schemas['BranchToday'];
export type Coming = Schemas['ExpectedItem'];
export type OrderDue = Schemas['OrderDue'];
export type BranchSales = Schemas['BranchSales'];

/** An answer that may be shown without a network, with the moment it was given. */
export type Kept<T> = T & { keptAt: string };

export type RecordKind =
  | 'receive'
  | 'waste'
  | 'transfer'
  | 'order'
  | 'zReading'
  | 'cash'
  | 'deposit';

/**
 * A document typed on this device, stored under `branchOpsPending:`: devices hold it, so its field names must not change.
 * It is made or changed at the server, and then takes its step.
 */
export interface BranchRecord {
  v: 1;
  /** What makes a second try the same as the first. */
  op: string;
  uid: string;
  storeId: string;
  kind: RecordKind;
  /** What it is called on this screen: «DL-2026-000171». */
  title: string;
  /** When it was finished on this device. */
  at: string;
  /** Where documents of its type are made. */
  base: string;
  body: Record<string, unknown>;
  /** The draft it changes instead of making a new one. */
  draftId: string | null;
  /** The step after it is made; none where this person may not take it. */
  step: string | null;
  stepBody?: Record<string, unknown>;
  /** Photos that go before it. */
  photos: readonly string[];
  /** Where they are sent, if not to the pictures of documents; the server's name for the first one goes into `body`. */
  photoBase?: string;
  /** What the lines of `body` are called, for messages. */
  lineNames: readonly string[];
  /** What it is about, such as the delivery. */
  subject: string | null;
  /** What was typed, to go on with if the server refuses it. */
  form: unknown;
}

/** What of a record is at the server already. */
export interface Progress {
  id: string;
  revision: number;
}
