// How counts wait and travel; the engine under `offline` does the rest.
import { queries } from '#/api/queries';
import { disk, dropPictures, mirror } from '#/offline/device';
import type { Answer, Lane } from '#/offline/lane';
import { Outbox } from '#/offline/outbox';
import { register } from '#/offline/registry';
import { countApi, KEY } from './api';
import { ANYBODY, takeOver } from './former';
import type { CountAnswer, CountEntry, CountRecord, Session } from './types';

/** A network that takes a request and never answers must not hold the queue for ever. */
const PATIENCE_MS = 30_000;

const SESSIONS: readonly unknown[] = ['', 'opening', 'closing'] satisfies Session[];

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}

function isEntry(value: unknown): value is CountEntry {
  return (
    isObject(value) &&
    typeof value.itemId === 'string' &&
    typeof value.op === 'string' &&
    (value.qty === null || typeof value.qty === 'number')
  );
}

/** Without a store, a date or its entries it is no record. What older devices wrote has no more than those. */
export function readRecord(value: unknown): CountRecord | null {
  if (!isObject(value)) return null;
  const { storeId, date, entries, session, deviceId, uid } = value;
  if (typeof storeId !== 'string' || !storeId) return null;
  if (typeof date !== 'string' || !/^\d{4}-\d\d-\d\d$/.test(date)) return null;
  if (!Array.isArray(entries) || entries.length === 0) return null;
  if (!SESSIONS.includes(session ?? '')) return null;
  const of = (session ?? '') as Session;
  // Neither the device nor who counted: it was written before this console was there.
  if (deviceId === undefined && uid === undefined) return takeOver(storeId, date, of, entries);
  if (typeof deviceId !== 'string' || typeof uid !== 'string' || !entries.every(isEntry))
    return null;
  return { ...(value as unknown as CountRecord), session: of };
}

/** Whether somebody typed this, or may have: it is shown to nobody else. */
export function isOf(record: CountRecord, uid: string): boolean {
  return record.uid === uid || record.uid === ANYBODY;
}

/** What was sent before has the answer it had then, or what a manager has decided since. */
function first(result: CountAnswer): Answer {
  if (result.outcome !== 'duplicate' || !result.was) return result;
  if (result.was !== 'declined') return { ...result, outcome: result.was };
  return { ...result, outcome: 'superseded' };
}

export const lane: Lane<CountRecord> = {
  name: 'storeCount',
  pendingKey: 'storeCountPending:',
  quarantineKey: 'storeCountQuarantine:',
  read: readRecord,
  ops: ({ entries }) => entries.map(({ op }) => op),
  only: (record, ops) => ({
    ...record,
    entries: record.entries.filter(({ op }) => ops.has(op)),
  }),
  group: ({ uid, deviceId, storeId, date, session }) =>
    [uid, deviceId, storeId, date, session].join(' '),
  join: ([first, ...rest]) => {
    if (!first) throw new Error('there is nothing to join');
    return { ...first, entries: [first, ...rest].flatMap(({ entries }) => entries) };
  },
  send: async ({ uid, deviceId, storeId, date, session, entries }) => {
    const me = queries.getQueryData<{ user: { uid: string } } | null>(['me']);
    const other = me && uid !== ANYBODY && me.user.uid !== uid ? { countedBy: { uid } } : {};
    const results = await countApi.batch(
      {
        sentAt: new Date().toISOString(),
        deviceId,
        ...other,
        entries: entries.map((entry) => ({
          ...entry,
          storeId,
          date,
          ...(session ? { session } : {}),
        })),
      },
      AbortSignal.timeout(PATIENCE_MS),
    );
    return results.map(first);
  },
};

export const outbox = register(new Outbox(lane, { disk, mirror, makeRoom: dropPictures }));

let stop: (() => void) | null = null;

/** Sends what waits for as long as somebody is signed in. */
export function startSending(): () => void {
  if (stop) return stop;
  const ended = outbox.start();
  const synced = () => {
    for (const part of ['entries', 'state']) {
      void queries.invalidateQueries({ queryKey: [...KEY, part] });
    }
  };
  window.addEventListener('storeCount:synced', synced);
  stop = () => {
    ended();
    window.removeEventListener('storeCount:synced', synced);
    stop = null;
  };
  return stop;
}
