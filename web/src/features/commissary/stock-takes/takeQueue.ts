// Numbers of stock-takes wait on the device until the server answered for each: an outbox on the disk of counts.
import { requestAt } from '#/api/client';
import { queries } from '#/api/queries';
import { stockTakeDef } from '#/documents/stockTakes';
import { disk, dropPictures, mirror } from '#/offline/device';
import { Outbox } from '#/offline/outbox';
import { registerOutbox } from '#/offline/outboxes';
import type { Answer, WriteQueue } from '#/offline/writeQueue';

/** A request that is never answered must not block the queue. */
const SEND_TIMEOUT_MS = 30_000;

/** A number for a product or a lot of it; null: not counted. Devices hold these, so the names must not change. */
export interface TakeEntry {
  op: string;
  productId: string;
  lot?: string;
  uomId: string;
  counted: number | null;
  /** ISO time on this device's clock. */
  at: string;
  expiry?: string;
  note?: string;
  /** For the screen only: what the sheet shows for a line that the server does not have yet. */
  name: string;
  uomCode: string;
  area?: string;
}

export interface TakeRecord {
  takeId: string;
  takeNo: string;
  uid: string;
  entries: TakeEntry[];
}

function isEntry(value: unknown): value is TakeEntry {
  if (typeof value !== 'object' || value === null) return false;
  const { op, productId, uomId, counted, at } = value as Partial<TakeEntry>;
  const texts = [op, productId, uomId, at].every((text) => typeof text === 'string' && text !== '');
  return texts && (counted === null || typeof counted === 'number');
}

/** Null if it is no such record. */
export function readRecord(value: unknown): TakeRecord | null {
  if (typeof value !== 'object' || value === null) return null;
  const { takeId, uid, entries } = value as Partial<TakeRecord>;
  const valid = [takeId, uid].every((text) => typeof text === 'string' && text !== '');
  if (!valid || !Array.isArray(entries) || entries.length === 0) return null;
  return entries.every(isEntry) ? (value as TakeRecord) : null;
}

/** An entry as the server takes it. */
export const wireOf = ({ name: _, uomCode: __, area: ___, ...entry }: TakeEntry) => entry;

const myUid = () => queries.getQueryData<{ user: { uid: string } } | null>(['me'])?.user.uid;

export const takeQueue: WriteQueue<TakeRecord> = {
  name: 'stockTake',
  one: 'count',
  pendingKey: 'stockTakePending:',
  quarantineKey: 'stockTakeQuarantine:',
  read: readRecord,
  ops: ({ entries }) => entries.map(({ op }) => op),
  pick: (record, ops) => ({ ...record, entries: record.entries.filter(({ op }) => ops.has(op)) }),
  groupKey: ({ takeId, uid }) => `${takeId} ${uid}`,
  join: ([first, ...rest]) => {
    if (!first) throw new Error('there is nothing to join');
    return { ...first, entries: [first, ...rest].flatMap(({ entries }) => entries) };
  },
  independent: true,
  // The server records who counted.
  sendable: ({ uid }) => uid === myUid(),
  send: async ({ takeId, entries }) => {
    const path = `${stockTakeDef.base}/${encodeURIComponent(takeId)}/counts`;
    const json = { sentAt: new Date().toISOString(), entries: entries.map(wireOf) };
    const signal = AbortSignal.timeout(SEND_TIMEOUT_MS);
    const { results } = await requestAt<{ results: Answer[] }>('POST', path, { json, signal });
    // The sheet has the numbers before they leave the device, or they would vanish for a moment.
    await queries.invalidateQueries({ queryKey: [...stockTakeDef.key, 'one', takeId] });
    return results;
  },
};

export const outbox = registerOutbox(
  new Outbox(takeQueue, { disk, mirror, makeRoom: dropPictures }),
);

let stop: (() => void) | null = null;

/** Sends waiting numbers until the returned function is called. */
export function startSending(): () => void {
  if (stop) return stop;
  const ended = outbox.start();
  const synced = () => void queries.invalidateQueries({ queryKey: [...stockTakeDef.key] });
  window.addEventListener('stockTake:synced', synced);
  stop = () => {
    ended();
    window.removeEventListener('stockTake:synced', synced);
    stop = null;
  };
  return stop;
}
