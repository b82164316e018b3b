// The types of the branch app, and of its records on the device.
import type { components } from '#/api/schema.gen';

type Schemas = components['schemas'];

export type PlacedOrder = Schemas['PlacedOrder'];
/** Answers kept on devices by earlier versions have no `placed`. */
export type BranchToday = Omit<Schemas['BranchToday'], 'placed'> & { placed?: PlacedOrder[] };
export type Coming = Schemas['ExpectedItem'];
export type OrderDue = Schemas['OrderDue'];
export type BranchSales = Schemas['BranchSales'];

/** An answer that may be shown offline, with its time. */
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
 * A document typed on this device, stored under `branchOpsPending:`: devices hold it, so its field names must not
 * change. It is created or changed at the server, then takes its step.
 */
export interface BranchRecord {
  v: 1;
  /** The idempotency key. */
  op: string;
  uid: string;
  storeId: string;
  kind: RecordKind;
  /** Its title on screen: «DL-2026-000171». */
  title: string;
  /** When it was finished on this device. */
  at: string;
  /** The path of its document type. */
  base: string;
  body: Record<string, unknown>;
  /** The draft it changes; null for a new one. */
  draftId: string | null;
  /** The step to take next; null if the user may not take it. */
  step: string | null;
  stepBody?: Record<string, unknown>;
  /** Photos to send first. */
  photos: readonly string[];
  /** The photos' path, if not that of document pictures; the server's id of the first one goes into `body`. */
  photoBase?: string;
  /** The names of `body`'s lines, for messages. */
  lineNames: readonly string[];
  /** What it is about, such as the delivery. */
  subject: string | null;
  /** The form, to reopen if the server refuses it. */
  form: unknown;
}

/** What of a record is already at the server. */
export interface Progress {
  id: string;
  revision: number;
}
