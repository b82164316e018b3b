// What travels between the counting screens and `/api/stores/count`, and what waits on the device.
import type { components } from '#/api/schema.gen';

type Schemas = components['schemas'];
type Save = Schemas['CountSave'];
type StoreSettings = Schemas['CountSettings'];

/** Empty where a store's day is counted as a whole. */
export type Session = '' | 'opening' | 'closing';

/** One thing typed: `qty` null takes the count away, zero is a count. It is never changed after it was written. */
export type CountEntry = Pick<Save, 'itemId' | 'at' | 'seq' | 'base' | 'prev' | 'op'> &
  Partial<Pick<Save, 'note' | 'photo'>> & { qty: number | null };

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

/** A count as it is sent: with its place. */
export type SentEntry = CountEntry &
  Pick<Save, 'storeId' | 'date'> &
  Partial<Pick<Save, 'session'>>;

export type Batch = Pick<Schemas['CountBatch'], 'sentAt' | 'deviceId' | 'countedBy'> & {
  entries: readonly SentEntry[];
};

export type BatchAnswer = Schemas['BatchAnswer'];
export type CountAnswer = Schemas['SaveAnswer'];
export type Entry = Schemas['CountEntry'];
export type Other = Schemas['OtherCount'];
export type Item = Schemas['CountItem'];
export type Previous = Schemas['PreviousCount'];
/** Everything a count needs without a network. */
export type WarmUp = Schemas['CountWarmUp'];
/** Somebody has to decide about it. */
export type HeldCount = Schemas['HeldCount'];
/** One save, as the history tells it. */
export type CountEvent = Schemas['CountEvent'];
export type Lease = Schemas['CountLease'];
export type CountState = Schemas['CountSessionState'];

/** How a store counts; what is not known before the server has said it is left out. */
export type Settings = Omit<
  StoreSettings,
  'storeId' | 'outlierFactor' | 'revision' | 'updatedAt' | 'updatedBy'
> &
  Partial<Pick<StoreSettings, 'outlierFactor' | 'revision'>>;

/** The session as the screens and the device call it. */
export function sessionOf(wire: Schemas['CountSession'] | null | undefined): Session {
  return wire && wire !== 'whole' ? wire : '';
}

export function nameOf(person: { name: string } | null | undefined): string {
  return person?.name || 'Someone';
}

type Person = Schemas['Editor'];

/** Who is said to have counted and, where that is somebody else, who sent it: only the second is known. */
export function countedAndSent(count: { countedBy: Person; sentBy: Person }): string {
  const sent = count.sentBy.uid === count.countedBy.uid ? '' : `, sent by ${nameOf(count.sentBy)}`;
  return nameOf(count.countedBy) + sent;
}
