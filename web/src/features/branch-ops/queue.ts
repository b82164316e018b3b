// How the branch app's documents wait on the device and are sent: an outbox besides that of counts, on the same disk
// and with shared numbering.
import { requestAt } from '#/api/client';
import { queries } from '#/api/queries';
import { answered, type Beyond, isBeyond } from '#/documents/beyond';
import { CLOSE_KEY } from '#/documents/close';
import { disk, dropPictures, mirror } from '#/offline/device';
import { Outbox } from '#/offline/outbox';
import { registerOutbox } from '#/offline/outboxes';
import type { AsideRecord, SavedPlace, WriteQueue } from '#/offline/writeQueue';
import { sendRecord } from './chain';
import { dropPhotos, keptPhoto, progressOf, setProgress, sweepProgress } from './device';
import { KEY } from './keys';
import type { BranchRecord } from './types';

/** A request that is never answered must not block the queue; photos take their time on a slow network. */
const SEND_TIMEOUT_MS = 60_000;

const isText = (value: unknown): value is string => typeof value === 'string' && value !== '';

/** Null if it is not a record of this app. */
export function readRecord(value: unknown): BranchRecord | null {
  if (typeof value !== 'object' || value === null) return null;
  const { op, uid, storeId, base, body, photos, lineNames } = value as Partial<BranchRecord>;
  const texts = [op, uid, storeId, base].every(isText);
  const rest = typeof body === 'object' && Array.isArray(photos) && Array.isArray(lineNames);
  return texts && rest ? (value as BranchRecord) : null;
}

function signedInUid(): string | undefined {
  return queries.getQueryData<{ user: { uid: string } } | null>(['me'])?.user.uid;
}

export const branchQueue: WriteQueue<BranchRecord> = {
  name: 'branchOps',
  one: 'document',
  pendingKey: 'branchOpsPending:',
  quarantineKey: 'branchOpsQuarantine:',
  read: readRecord,
  ops: ({ op }) => [op],
  pick: (record) => record,
  groupKey: ({ op }) => op,
  join: ([first]) => {
    if (!first) throw new Error('there is nothing to join');
    return first;
  },
  independent: true,
  // Idempotency keys only match for the same user.
  sendable: ({ uid }) => uid === signedInUid(),
  send: async (record) => {
    const answer = await sendRecord(record, {
      request: (method, path, options) =>
        requestAt(method, path, { ...options, signal: AbortSignal.timeout(SEND_TIMEOUT_MS) }),
      progress: progressOf,
      setProgress,
      photo: keptPhoto,
    });
    if (answer.outcome === 'applied') await dropPhotos(record.photos);
    return [answer];
  },
};

export const outbox = registerOutbox(
  new Outbox(branchQueue, { disk, mirror, makeRoom: dropPictures }),
);

/** Queues a finished document; resolves to where it is stored. */
export async function queueRecord(record: BranchRecord): Promise<SavedPlace> {
  const { place } = await outbox.save(1, () => record);
  return place;
}

/** What the server asks about a held document; null if it asks nothing. */
export function questionOf({ kind, record, question }: AsideRecord<BranchRecord>): Beyond | null {
  return kind === 'held' && record && isBeyond(question) ? question : null;
}

/** Queues a held document again with its user's answer; resolves to whether that is safe on the device. */
export async function answerHeld(
  item: AsideRecord<BranchRecord>,
  reason: string,
): Promise<boolean> {
  const { id, record } = item;
  if (!record) return false;
  const place = await queueRecord({ ...record, stepBody: answered(record.stepBody ?? {}, reason) });
  // It stays in the list until its copy is safe.
  if (place === 'nowhere') return false;
  await outbox.discard(id);
  return true;
}

let stop: (() => void) | null = null;

/** Sends waiting documents until the returned function is called. */
export function startSending(): () => void {
  if (stop) return stop;
  const ended = outbox.start();
  const synced = () => {
    const { records, aside } = outbox.snapshot();
    const ops = new Set([...records, ...aside].map(({ record }) => record?.op));
    void sweepProgress((op) => ops.has(op));
    for (const key of [
      KEY,
      // What was sent may be close to a count.
      CLOSE_KEY,
      ['stores', 'receive'],
      ['stores', 'orders'],
      ['stores', 'waste'],
      ['sales', 'z-reading'],
      ['sales', 'tender-report'],
    ]) {
      void queries.invalidateQueries({ queryKey: key });
    }
  };
  window.addEventListener('branchOps:synced', synced);
  stop = () => {
    ended();
    window.removeEventListener('branchOps:synced', synced);
    stop = null;
  };
  return stop;
}
