// What travels between the counting screens and `/api/stores/count`.

export type Session = '' | 'opening' | 'closing';

/** One thing typed. It is never changed after it was written. */
export interface CountEntry {
  itemId: string;
  /** Null takes the count away; zero is a count. */
  qty: number | null;
  /** By this device's clock; the server knows how wrong that is. */
  at: string;
  seq: number;
  /** The revision it was typed over, and the entry of this device that came before it. */
  base: number | null;
  prev: string | null;
  op: string;
  note?: string | null;
  photo?: string | null;
}

/** What waits on the device: the shape under `storeCountPending:`. */
export interface CountRecord {
  v: 1;
  uid: string;
  deviceId: string;
  storeId: string;
  date: string;
  session: Session;
  entries: CountEntry[];
}

/** Which count: a store, a business date and a session. */
export interface Scope {
  storeId: string;
  date: string;
  session: Session;
}

export interface Person {
  uid: string;
  name: string;
}

/** What another device counted and what does not stand. */
export interface Other {
  qty: number | null;
  at: string;
  by: Person | string;
  deviceId: string;
  op: string;
}

export interface Entry {
  id: string;
  storeId: string;
  date: string;
  itemId: string;
  qty: number | null;
  session?: Session | null;
  note?: string | null;
  photo?: string | null;
  late?: boolean;
  revision: number;
  op?: string;
  deviceId?: string | null;
  at: string;
  countedBy?: Person | null;
  others?: readonly Other[];
}

export interface Pack {
  uomId: string;
  code: string;
  factor: number;
}

export interface Item {
  id: string;
  name: string;
  code?: string | null;
  uomCode?: string | null;
  packs?: readonly Pack[];
  storageArea?: string | null;
  sortOrder?: number | null;
  barcode?: string | null;
  imageUrl?: string | null;
}

export interface Settings {
  restrictDate: boolean;
  timeLockEnabled: boolean;
  enforceTimeWindow: boolean;
  autoSessionByTime: boolean;
  userLockEnabled: boolean;
  blind: boolean;
  /** Minutes of the day; a window may end after midnight. */
  openingFrom: number;
  openingTo: number;
  closingFrom: number;
  closingTo: number;
  outlierFactor?: number | null;
  revision?: number;
}

export interface Previous {
  date: string;
  session?: Session | null;
  itemId: string;
  qty: number;
}

/** Everything a count needs without a network. */
export interface WarmUp {
  store: { id: string; name: string };
  today: string;
  yesterday: string;
  serverTime: string;
  settings: Settings;
  items: readonly Item[];
  previous: readonly Previous[];
  expected?: Readonly<Record<string, number>> | null;
  entries: readonly Entry[];
}

/** Somebody has to decide about it. */
export interface HeldCount {
  op: string;
  date: string;
  session?: Session | null;
  itemId: string;
  itemName?: string | null;
  uomCode?: string | null;
  qty: number | null;
  at: string;
  reason?: string | null;
  countedBy: Person;
  current?: { qty: number | null; at: string; by: string } | null;
}

/** One save, as the history tells it. */
export interface CountEvent {
  op: string;
  qty: number | null;
  note?: string | null;
  at: string;
  late: boolean;
  countedBy: Person;
  sentBy: Person;
  outcome: 'applied' | 'superseded' | 'held' | 'declined';
  stands: boolean;
  reason?: string | null;
}

export interface Lease {
  uid: string;
  name: string;
  deviceId: string;
  until: string;
}

export interface CountState {
  locked: boolean;
  lockedSince?: string | null;
  unlockedBy?: Person | string | null;
  closedBecause?: string | null;
  unlockReason?: string | null;
  open: boolean;
  lease: Lease | null;
  finished: { at: string; by: Person | string } | null;
  serverTime: string;
}

export function nameOf(person: Person | string | null | undefined): string {
  return (typeof person === 'string' ? person : person?.name) || 'Somebody';
}
