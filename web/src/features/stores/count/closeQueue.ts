// Answers about deliveries close to a count, stored on the device and sent like counts.
import { Problem } from '#/api/problem';
import { queries } from '#/api/queries';
import {
  CLOSE_KEY,
  type CloseAnswer,
  type CloseLine,
  closeApi,
  isLeaving,
  question,
} from '#/documents/close';
import { disk, mirror } from '#/offline/device';
import { Outbox } from '#/offline/outbox';
import { registerOutbox } from '#/offline/outboxes';
import type { OutboxSnapshot, WriteQueue } from '#/offline/writeQueue';
import { today } from '#/ui/dates';
import { day, qty } from '#/ui/format';
import { KEY } from './api';
import { timeOf } from './clock';
import type { Scope, Session, WarmUp } from './types';

const SEND_TIMEOUT_MS = 30_000;

/** A record on the device, stored under `countAnswersPending:`: devices hold it, so its field names must not change. */
export interface AnswerRecord {
  v: 1;
  uid: string;
  storeId: string;
  date: string;
  session: Session;
  answers: (CloseAnswer & { op: string })[];
}

function readRecord(value: unknown): AnswerRecord | null {
  if (typeof value !== 'object' || value === null) return null;
  const { uid, storeId, date, answers } = value as Partial<AnswerRecord>;
  const texts = [uid, storeId, date].every((text) => typeof text === 'string' && text !== '');
  return texts && Array.isArray(answers) && answers.length > 0 ? (value as AnswerRecord) : null;
}

function signedInUid(): string | undefined {
  return queries.getQueryData<{ user: { uid: string } } | null>(['me'])?.user.uid;
}

export const closeQueue: WriteQueue<AnswerRecord> = {
  name: 'countAnswers',
  one: 'answer',
  pendingKey: 'countAnswersPending:',
  quarantineKey: 'countAnswersQuarantine:',
  read: readRecord,
  ops: ({ answers }) => answers.map(({ op }) => op),
  pick: (record, ops) => ({
    ...record,
    answers: record.answers.filter(({ op }) => ops.has(op)),
  }),
  groupKey: ({ uid, storeId, date, session }) => [uid, storeId, date, session].join(' '),
  join: ([first, ...rest]) => {
    if (!first) throw new Error('there is nothing to join');
    return { ...first, answers: [first, ...rest].flatMap(({ answers }) => answers) };
  },
  independent: true,
  sendable: ({ uid }) => uid === signedInUid(),
  send: async (record) => {
    const answers = record.answers.map(({ lineId, included }) => ({ lineId, included }));
    const all = (outcome: 'applied' | 'superseded') =>
      record.answers.map(({ op }) => ({ op, outcome }));
    try {
      await closeApi.answer(record, answers, AbortSignal.timeout(SEND_TIMEOUT_MS));
    } catch (error) {
      const { status, worded } = Problem.of(error);
      // The line is gone, so nobody asks any more. Only the server knows that, not a proxy.
      if (worded && (status === 404 || status === 422)) return all('superseded');
      throw error;
    }
    return all('applied');
  },
};

export const answers = registerOutbox(new Outbox(closeQueue, { disk, mirror }));

/** Sends waiting answers until the returned function is called. */
export function startSendingAnswers(): () => void {
  const ended = answers.start();
  const synced = () => {
    for (const queryKey of [[...KEY, 'warm-up'], CLOSE_KEY]) {
      void queries.invalidateQueries({ queryKey });
    }
  };
  window.addEventListener('countAnswers:synced', synced);
  return () => {
    ended();
    window.removeEventListener('countAnswers:synced', synced);
  };
}

export type Delivery = WarmUp['deliveries'][number];
export type DeliveryLine = Delivery['lines'][number];

/** What this device answered for a count, by line; the last answer counts. */
export function answeredHere(
  { records, settled }: Pick<OutboxSnapshot<AnswerRecord>, 'records' | 'settled'>,
  scope: Scope,
): ReadonlyMap<string, boolean> {
  const said = new Map<string, boolean>();
  for (const { record } of [...settled, ...records]) {
    const { storeId, date, session } = record;
    if (storeId !== scope.storeId || date !== scope.date || session !== scope.session) continue;
    for (const { lineId, included } of record.answers) said.set(lineId, included);
  }
  return said;
}

/** The deliveries with lines that nobody answered for this count. A warm-up of an older version has none. */
export function openDeliveries(
  warm: Pick<WarmUp, 'countingDate' | 'countingSession'> & { deliveries?: WarmUp['deliveries'] },
  scope: Scope,
  said: ReadonlyMap<string, boolean>,
): Delivery[] {
  if (warm.countingDate !== scope.date || (warm.countingSession ?? '') !== scope.session) return [];
  const isOpen = ({ lineId, included }: DeliveryLine) =>
    typeof included !== 'boolean' && !said.has(lineId);
  const open = (warm.deliveries ?? []).map((delivery) => ({
    ...delivery,
    lines: delivery.lines.filter(isOpen),
  }));
  return open.filter(({ lines }) => lines.length > 0);
}

/** A question about goods close to a count. */
export interface CloseAsked {
  scope: Scope;
  lineId: string;
  name: string;
  words: string;
  /** Whether the goods left. */
  leaving: boolean;
  /** The document it is about. */
  number: string;
  /** Whether the server asks it about a count that was sent; else it is about the count of now. */
  sent: boolean;
}

/** «GR-… was received at 05:40. Is it part of this count?»; with the day where that is not the count's. */
function wordsOf(
  { number, received, happenedAt }: Delivery,
  line: DeliveryLine,
  date: string,
): string {
  const much = line.qty == null ? '' : ` (${qty(line.qty)} ${line.uomCode})`;
  if (!received) return `Is ${number}${much} already on the shelf and counted?`;
  const on = happenedAt ? today(new Date(happenedAt)) : date;
  const at = happenedAt ? `${on === date ? '' : ` on ${day(on)}`} at ${timeOf(happenedAt)}` : '';
  return `${number}${much} was received${at}. Is it part of this count?`;
}

/**
 * What is open: about the count of now, known without a connection, and about counts of the store that were sent. The
 * latter say what was counted when.
 */
export function openQuestions(
  warm: WarmUp | undefined,
  scope: Scope,
  sent: readonly CloseLine[],
  snapshot: Pick<OutboxSnapshot<AnswerRecord>, 'records' | 'settled'>,
): CloseAsked[] {
  const asked = sent.flatMap((line): CloseAsked[] => {
    const of = { storeId: line.storeId, date: line.date, session: line.session as Session };
    if (answeredHere(snapshot, of).has(line.lineId)) return [];
    const { lineId, name, documentNo: number } = line;
    const leaving = isLeaving(line);
    return [{ scope: of, lineId, name, words: question(line), leaving, number, sent: true }];
  });
  const key = ({ storeId, date, session }: Scope) => `${storeId} ${date} ${session}`;
  const ofNow = asked.filter((one) => key(one.scope) === key(scope));
  const known = new Set(ofNow.map(({ lineId }) => lineId));
  const open = warm ? openDeliveries(warm, scope, answeredHere(snapshot, scope)) : [];
  const now = open.flatMap((delivery) =>
    delivery.lines
      .filter(({ lineId }) => !known.has(lineId))
      .map((line): CloseAsked => {
        const { lineId, name } = line;
        const words = wordsOf(delivery, line, scope.date);
        const { number } = delivery;
        return { scope, lineId, name, words, leaving: false, number, sent: false };
      }),
  );
  return [...asked, ...now];
}

/** Saves what was answered, each count's answers together. */
export async function saveAsked(
  uid: string,
  said: ReadonlyMap<CloseAsked, boolean>,
): Promise<void> {
  const counts = new Map<string, { scope: Scope; said: Map<string, boolean> }>();
  for (const [{ scope, lineId }, included] of said) {
    const key = `${scope.storeId} ${scope.date} ${scope.session}`;
    const count = counts.get(key) ?? { scope, said: new Map() };
    counts.set(key, count);
    count.said.set(lineId, included);
  }
  for (const count of counts.values()) await saveAnswersHere(uid, count.scope, count.said);
}

/** Saves answers on the device; they are sent with the counts. */
export async function saveAnswersHere(
  uid: string,
  { storeId, date, session }: Scope,
  said: ReadonlyMap<string, boolean>,
): Promise<void> {
  const list = [...said];
  await answers.save(list.length, (device, first) => ({
    v: 1,
    uid,
    storeId,
    date,
    session,
    answers: list.map(([lineId, included], i) => ({
      op: `${device}:${first + i}`,
      lineId,
      included,
    })),
  }));
}
