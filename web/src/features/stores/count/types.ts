// The types of `/api/stores/count`, and of the records that wait on the device.
import type { components } from '#/api/schema.gen';

type Schemas = components['schemas'];
type Save = Schemas['CountSave'];
type StoreSettings = Schemas['CountSettings'];

/** Empty if a store's day is counted as a whole. */
export type Session = '' | 'opening' | 'closing';

/** One saved value: `qty` null removes the count, zero is a count. Never changed after it was saved. */
export type CountEntry = Pick<Save, 'itemId' | 'at' | 'seq' | 'base' | 'prev' | 'op'> &
  Partial<Pick<Save, 'note' | 'photo' | 'recount'>> & { qty: number | null };

/** A record on the device, stored under `storeCountPending:`: devices hold it, so its field names must not change. */
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

/** An entry as it is sent: with store, date and session. */
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
/** What the items of one day and session are expected to come to. */
export type Expected = Schemas['CountExpected'];
/** Everything a count needs offline. */
export type WarmUp = Schemas['CountWarmUp'];
/** A count that waits for a manager's decision. */
export type HeldCount = Schemas['HeldCount'];
/** One save, as the item's history lists it. */
export type CountEvent = Schemas['CountEvent'];
export type Lease = Schemas['CountLease'];
export type CountState = Schemas['CountSessionState'];

/** A store's count settings; some are unknown until the server has answered. */
export type Settings = Omit<
  StoreSettings,
  'storeId' | 'outlierFactor' | 'revision' | 'updatedAt' | 'updatedBy'
> &
  Partial<Pick<StoreSettings, 'outlierFactor' | 'revision'>>;

/** The session as screens and device records name it: '' for the whole day. */
export function sessionOf(wire: Schemas['CountSession'] | null | undefined): Session {
  return wire && wire !== 'whole' ? wire : '';
}

export function nameOf(person: { name: string } | null | undefined): string {
  return person?.name || 'Someone';
}

type Person = Schemas['Editor'];

/** Who counted and, if different, who sent it. Only the sender is verified. */
export function countedAndSent(count: { countedBy: Person; sentBy: Person }): string {
  const sent = count.sentBy.uid === count.countedBy.uid ? '' : `, sent by ${nameOf(count.sentBy)}`;
  return nameOf(count.countedBy) + sent;
}
