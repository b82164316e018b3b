// What somebody types while receiving, and what it says.
import type { RESOLUTIONS } from '#/documents/receipts';
import { evaluate } from '#/ui/arithmetic';
import { qty } from '#/ui/format';
import { sum } from '#/ui/sums';
import type { BranchRecord, Coming } from '../types';
import type { ExpectedLine } from './lines';

/** What was typed for a line; absent where it is as expected. Devices hold these: the names must not change. */
export interface LineForm {
  received?: string;
  rejected?: string;
  reason?: string;
  resolution?: string;
}

export interface ReceiveForm {
  op: string;
  draftId: string | null;
  lines: Record<string, LineForm>;
  photos: string[];
}

export const emptyForm = (): ReceiveForm => ({
  op: crypto.randomUUID(),
  draftId: null,
  lines: {},
  photos: [],
});

export interface LineReading {
  received: number;
  rejected: number;
  differs: boolean;
  /** What did not come. */
  short: number;
  over: number;
  /** What is wrong, at its field. */
  faults: Partial<Record<'received' | 'rejected' | 'reason', string>>;
}

export function readLine(
  { expected, unit }: ExpectedLine,
  typed: LineForm | undefined,
  mayTakeMore: boolean,
): LineReading {
  const faults: LineReading['faults'] = {};
  const number = (field: 'received' | 'rejected', otherwise: number) => {
    const text = typed?.[field]?.trim();
    if (!text) {
      if (field === 'received' && typed?.received !== undefined) faults[field] = 'Enter what came.';
      return otherwise;
    }
    const value = evaluate(text);
    if (value === null) faults[field] = 'This is not a number.';
    else if (value < 0) faults[field] = 'Enter zero or more.';
    return value !== null && value >= 0 ? value : otherwise;
  };
  const received = number('received', expected);
  const rejected = number('rejected', 0);
  const over = Math.max(0, sum([received, -expected]));
  if (rejected > received) faults.rejected ??= 'You cannot refuse more than what came.';
  if (over > 0 && !mayTakeMore) {
    faults.received ??= `${qty(over)} ${unit} more than was sent. Enter ${qty(expected)}, and tell whoever sent it.`;
  }
  const differs = received !== expected || rejected > 0;
  if (differs && !typed?.reason) faults.reason = 'Choose a reason.';
  return {
    received,
    rejected,
    differs,
    short: Math.max(0, sum([expected, -received])),
    over,
    faults,
  };
}

type Resolution = (typeof RESOLUTIONS)[number]['value'];

/** What can become of a difference. */
export function resolutionsFor({ short, rejected, over }: LineReading): readonly Resolution[] {
  if (short + rejected > 0) return ['pending', 'backorder', 'credit', 'return', 'writeOff'];
  return over > 0 ? ['acceptOver'] : [];
}

/** What was chosen, unless it no longer fits the difference. */
function resolutionOf(reading: LineReading, typed: LineForm | undefined): string {
  return resolutionsFor(reading).find((choice) => choice === typed?.resolution) ?? '';
}

interface Finished {
  uid: string;
  coming: Coming;
  form: ReceiveForm;
  /** None where the device does not know them: then all of it came. */
  lines: readonly ExpectedLine[];
  draftId: string | null;
  mayPost: boolean;
  mayTakeMore: boolean;
  at: Date;
  date: string;
}

/** The receipt as it waits on the device and is sent. */
export function recordOf(finished: Finished): BranchRecord {
  const { uid, coming, form, lines, mayPost, mayTakeMore, at, date } = finished;
  const read = lines.map((line) => ({
    line,
    reading: readLine(line, form.lines[line.id], mayTakeMore),
  }));
  const over = read.filter(({ reading }) => reading.over > 0);
  return {
    v: 1,
    op: form.op,
    uid,
    storeId: coming.storeId,
    kind: 'receive',
    title: coming.number,
    at: at.toISOString(),
    base: '/api/stores/receive',
    body: {
      storeId: coming.storeId,
      sourceType: coming.kind,
      sourceId: coming.id,
      receivedAt: at.toISOString(),
      businessDate: date,
      ...(form.photos.length > 0 ? { photos: form.photos } : {}),
      ...(lines.length > 0
        ? {
            lines: read.map(({ line, reading }) => ({
              sourceLineId: line.id,
              received: reading.received,
              rejected: reading.rejected,
              reason: (reading.differs && form.lines[line.id]?.reason) || '',
              resolution: resolutionOf(reading, form.lines[line.id]),
            })),
          }
        : {}),
    },
    draftId: form.draftId ?? finished.draftId,
    step: mayPost ? 'post' : null,
    ...(over.length > 0
      ? { stepBody: { override: true, reason: 'More came than was sent, and was kept.' } }
      : {}),
    photos: form.photos,
    lineNames: lines.map(({ name }) => name),
    subject: coming.id,
    form,
  };
}
