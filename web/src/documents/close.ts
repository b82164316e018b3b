// Goods that came or left close to a count: a person says if the count includes that, else the times decide.
import { requestAt } from '#/api/client';
import { queries } from '#/api/queries';
import { moment, qty } from '#/ui/format';

/** A line close to a count. */
export interface CloseLine {
  lineId: string;
  storeId: string;
  /** Date and session of the count. */
  date: string;
  session: string;
  documentKind: string;
  documentNo: string;
  name: string;
  /** Absent where counts are blind. */
  qty?: number | null;
  uomCode: string;
  happenedAt?: string | null;
  countedAt: string;
  /** Whether they came or left before the count, so that its number includes it. */
  included?: boolean | null;
}

export interface CloseAnswer {
  lineId: string;
  included: boolean;
}

type Count = Pick<CloseLine, 'storeId' | 'date' | 'session'>;

const PATH = '/api/stores/count/close-goods';

/** The key of open questions; what a device sends may raise new ones. */
export const CLOSE_KEY = ['documents', 'close'] as const;

export const closeApi = {
  /** The lines of a count that nobody answered. */
  open: async (count: Count, signal?: AbortSignal): Promise<CloseLine[]> => {
    const { storeId, date, session } = count;
    const query = { storeId, date, ...(session ? { session } : {}) };
    const answer = await requestAt<{ items: CloseLine[] }>('GET', PATH, { query, signal });
    const open = answer.items.filter(({ included }) => typeof included !== 'boolean');
    return open.map((line) => ({ ...line, ...count }));
  },
  /** The lines of a store's counts of today and yesterday that nobody answered. */
  openOf: async (storeId: string, signal?: AbortSignal): Promise<CloseLine[]> => {
    const path = `${PATH}/open`;
    const answer = await requestAt<{ items: Omit<CloseLine, 'storeId'>[] }>('GET', path, {
      query: { storeId },
      signal,
    });
    return answer.items.map((line) => ({ ...line, storeId }));
  },
  answer: (
    { storeId, date, session }: Count,
    answers: readonly CloseAnswer[],
    signal?: AbortSignal,
  ) =>
    requestAt<unknown>('POST', PATH, {
      json: { storeId, date, ...(session ? { session } : {}), answers },
      signal,
    }),
};

/** Sends answers, those of each count together. */
export async function saveAnswers(
  lines: readonly CloseLine[],
  included: ReadonlyMap<CloseLine, boolean>,
): Promise<void> {
  const counts = new Map<string, CloseLine[]>();
  for (const line of lines) {
    if (!included.has(line)) continue;
    const key = `${line.storeId} ${line.date} ${line.session}`;
    counts.set(key, [...(counts.get(key) ?? []), line]);
  }
  for (const [first, ...rest] of counts.values()) {
    if (!first) continue;
    const answers = [first, ...rest].map((line) => ({
      lineId: line.lineId,
      included: included.get(line) === true,
    }));
    await closeApi.answer(first, answers);
  }
  void queries.invalidateQueries();
}

/** The kinds of documents with which goods leave a store. */
const LEAVING: ReadonlySet<string> = new Set(['transfer', 'waste', 'supplierReturn']);

/** Whether the goods left. */
export const isLeaving = ({ documentKind }: Pick<CloseLine, 'documentKind'>): boolean =>
  LEAVING.has(documentKind);

/**
 * What «Yes» or «No» says about the count. What came is asked about with «Was it counted?», so «Yes» means that the count
 * includes it. What left is asked about with «Was it still there?», so «Yes» means that it left after the count.
 */
export const includedBy = (leaving: boolean, yes: boolean): boolean => yes !== leaving;

/** The question above lines that left or came. */
export function heading(leaving: readonly boolean[]): string {
  if (!leaving.includes(true)) return 'Was this counted?';
  return leaving.includes(false) ? 'Close to a count' : 'Was this still there?';
}

const DID: Readonly<Record<string, string>> = {
  receipt: 'was received',
  transfer: 'was sent',
  waste: 'was thrown away',
  supplierReturn: 'was sent back',
};

const timeOf = (at: string) => moment(at).slice(-5);

/**
 * «GR-2026-000012 (200 pc) was received at 05:40. Was it counted at 06:06?», «WS-2026-000003 (4 pc) was thrown away at
 * 20:40. Were these goods still there when the store was counted at 20:59?»; with the day where the two differ.
 */
export function question(line: CloseLine): string {
  const much = line.qty == null ? '' : ` (${qty(line.qty)} ${line.uomCode})`;
  const [on] = moment(line.happenedAt).split(', ');
  const [countedOn] = moment(line.countedAt).split(', ');
  const when = line.happenedAt
    ? `${on === countedOn ? '' : ` on ${on}`} at ${timeOf(line.happenedAt)}`
    : '';
  const did = DID[line.documentKind] ?? 'moved';
  const asked = isLeaving(line)
    ? 'Were these goods still there when the store was counted'
    : 'Was it counted';
  return `${line.documentNo}${much} ${did}${when}. ${asked} at ${timeOf(line.countedAt)}?`;
}
