// How counts are stored on the device and sent; the outbox of `offline` does the rest.
import { queries } from '#/api/queries';
import { CLOSE_KEY } from '#/documents/close';
import { disk, dropPictures, mirror } from '#/offline/device';
import { Outbox } from '#/offline/outbox';
import { registerOutbox } from '#/offline/outboxes';
import type { Answer, WriteQueue } from '#/offline/writeQueue';
import { countApi, KEY } from './api';
import { startSendingAnswers } from './closeQueue';
import { readLegacyRecord, UNKNOWN_USER } from './legacy';
import type { CountAnswer, CountEntry, CountRecord, Session } from './types';

/** A request that is never answered must not block the queue. */
const SEND_TIMEOUT_MS = 30_000;

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

/** Null without a store, a date or entries; legacy records have no more than those. */
export function readRecord(value: unknown): CountRecord | null {
  if (!isObject(value)) return null;
  const { storeId, date, entries, session, deviceId, uid } = value;
  if (typeof storeId !== 'string' || !storeId) return null;
  if (typeof date !== 'string' || !/^\d{4}-\d\d-\d\d$/.test(date)) return null;
  if (!Array.isArray(entries) || entries.length === 0) return null;
  if (!SESSIONS.includes(session ?? '')) return null;
  const of = (session ?? '') as Session;
  // Neither device nor user: a legacy record.
  if (deviceId === undefined && uid === undefined)
    return readLegacyRecord(storeId, date, of, entries);
  if (typeof deviceId !== 'string' || typeof uid !== 'string' || !entries.every(isEntry))
    return null;
  return { ...(value as unknown as CountRecord), session: of };
}

/** Whether this user typed the record, or may have (legacy records have no user). Others must not see it. */
export function isTypedBy(record: CountRecord, uid: string): boolean {
  return record.uid === uid || record.uid === UNKNOWN_USER;
}

/** A duplicate gets the outcome the entry had before, or what a manager has decided since. */
function toAnswer(result: CountAnswer): Answer {
  if (result.outcome !== 'duplicate' || !result.was) return result;
  if (result.was !== 'declined') return { ...result, outcome: result.was };
  return { ...result, outcome: 'superseded' };
}

export const countQueue: WriteQueue<CountRecord> = {
  name: 'storeCount',
  one: 'count',
  pendingKey: 'storeCountPending:',
  quarantineKey: 'storeCountQuarantine:',
  read: readRecord,
  ops: ({ entries }) => entries.map(({ op }) => op),
  pick: (record, ops) => ({
    ...record,
    entries: record.entries.filter(({ op }) => ops.has(op)),
  }),
  groupKey: ({ uid, deviceId, storeId, date, session }) =>
    [uid, deviceId, storeId, date, session].join(' '),
  join: ([first, ...rest]) => {
    if (!first) throw new Error('there is nothing to join');
    return { ...first, entries: [first, ...rest].flatMap(({ entries }) => entries) };
  },
  send: async ({ uid, deviceId, storeId, date, session, entries }) => {
    // Always named: another tab may have signed in someone else, whom this page does not know yet.
    const by = uid === UNKNOWN_USER ? {} : { countedBy: { uid } };
    const results = await countApi.batch(
      {
        sentAt: new Date().toISOString(),
        deviceId,
        ...by,
        entries: entries.map((entry) => ({
          ...entry,
          storeId,
          date,
          ...(session ? { session } : {}),
        })),
      },
      AbortSignal.timeout(SEND_TIMEOUT_MS),
    );
    return results.map(toAnswer);
  },
};

export const outbox = registerOutbox(
  new Outbox(countQueue, { disk, mirror, makeRoom: dropPictures }),
);

let stop: (() => void) | null = null;

/** Sends waiting counts until the returned function is called. */
export function startSending(): () => void {
  if (stop) return stop;
  const ended = outbox.start();
  const endedAnswers = startSendingAnswers();
  const synced = () => {
    for (const part of ['entries', 'state']) {
      void queries.invalidateQueries({ queryKey: [...KEY, part] });
    }
    // What was counted may be close to goods that came or left.
    void queries.invalidateQueries({ queryKey: CLOSE_KEY });
  };
  window.addEventListener('storeCount:synced', synced);
  stop = () => {
    ended();
    endedAnswers();
    window.removeEventListener('storeCount:synced', synced);
    stop = null;
  };
  return stop;
}
