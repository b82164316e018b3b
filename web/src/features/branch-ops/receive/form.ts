// The input while receiving, and its meaning.
import type { RESOLUTIONS } from '#/documents/receipts';
import { inFull, moment, qty } from '#/ui/format';
import { faultOf, kindOfUnit, numberOf } from '#/ui/numberInput';
import { sum } from '#/ui/sums';
import type { ExpectedLine } from '../lines';
import type { BranchRecord, Coming } from '../types';

/** The input of a line; absent if as expected. Devices hold these: the names must not change. */
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
  /** The product that a photo shows, by photo; the others show the whole delivery. */
  photoProducts?: Record<string, string>;
  /** The time of day it came, if not now: HH:MM. */
  cameAt?: string;
}

export const emptyForm = (): ReceiveForm => ({
  op: crypto.randomUUID(),
  draftId: null,
  lines: {},
  photos: [],
});

/** The photos of a product, or with null those of the whole delivery. */
export const photosOf = ({ photos, photoProducts }: ReceiveForm, productId: string | null) =>
  photos.filter((id) => (photoProducts?.[id] ?? null) === productId);

/** The form after the photos of a product, or with null those of the whole delivery, were changed. */
export function withPhotos(
  form: ReceiveForm,
  productId: string | null,
  change: (photos: string[]) => string[],
): ReceiveForm {
  const before = photosOf(form, productId);
  const after = change(before);
  const others = form.photos.filter((id) => !before.includes(id));
  const photoProducts = { ...form.photoProducts };
  for (const id of before) delete photoProducts[id];
  if (productId) for (const id of after) photoProducts[id] = productId;
  return { ...form, photos: [...others, ...after], photoProducts };
}

export interface LineReading {
  received: number;
  rejected: number;
  differs: boolean;
  /** The chosen reason, else the one that the quantities propose; empty if neither. */
  reason: string;
  /** The missing quantity. */
  short: number;
  over: number;
  /** Needs the right to exceed the tolerance. */
  beyond: boolean;
  /** Errors by field. */
  faults: Partial<Record<'received' | 'rejected' | 'reason', string>>;
}

/** How much more than sent may be received. */
export interface OverRules {
  /** In percent of the expected, for all users. */
  tolerance: number;
  /** Whether this user may exceed it. */
  mayOverride: boolean;
}

const isBeyond = (over: number, expected: number, { tolerance }: OverRules) =>
  over > 0 && over * 100 > expected * tolerance;

/** The reason that quantities propose; empty if only the user can know it. */
function proposedReason(short: number, over: number, rejected: number): string {
  if (rejected > 0) return '';
  if (short > 0) return 'short';
  return over > 0 ? 'over' : '';
}

export function readLine(
  { expected, unit, whole }: ExpectedLine,
  typed: LineForm | undefined,
  rules: OverRules,
): LineReading {
  const faults: LineReading['faults'] = {};
  const number = (field: 'received' | 'rejected', otherwise: number) => {
    const text = typed?.[field]?.trim();
    if (!text) {
      if (field === 'received' && typed?.received !== undefined) faults[field] = 'Enter what came.';
      return otherwise;
    }
    const reads = kindOfUnit(unit, whole);
    const value = numberOf(text, reads);
    if (value === null) faults[field] = faultOf(text, reads, unit) ?? '';
    else if (value < 0) faults[field] = 'Enter zero or more.';
    return value !== null && value >= 0 ? value : otherwise;
  };
  const received = number('received', expected);
  const rejected = number('rejected', 0);
  const over = Math.max(0, sum([received, -expected]));
  if (rejected > received) faults.rejected ??= 'You cannot refuse more than what came.';
  const beyond = isBeyond(over, expected, rules);
  if (beyond && !rules.mayOverride) {
    faults.received ??= `${qty(over)} ${unit} more than was sent. Enter ${inFull(expected)}, and tell the sender.`;
  }
  const differs = received !== expected || rejected > 0;
  const short = Math.max(0, sum([expected, -received]));
  const reason = typed?.reason ?? proposedReason(short, over, rejected);
  if (differs && !reason) faults.reason = 'Choose a reason.';
  return {
    received,
    rejected,
    differs,
    reason,
    short,
    over,
    beyond,
    faults,
  };
}

type Resolution = (typeof RESOLUTIONS)[number]['value'];

/** The possible resolutions of a difference. */
export function resolutionsFor({ short, rejected, over }: LineReading): readonly Resolution[] {
  if (short + rejected > 0) return ['pending', 'backorder', 'credit', 'return', 'writeOff'];
  return over > 0 ? ['acceptOver'] : [];
}

/** The chosen resolution, unless it no longer fits the difference. */
function resolutionOf(reading: LineReading, typed: LineForm | undefined): string {
  return resolutionsFor(reading).find((choice) => choice === typed?.resolution) ?? '';
}

interface Finished {
  uid: string;
  coming: Coming;
  form: ReceiveForm;
  /** Empty if unknown to the device: then all of it came. */
  lines: readonly ExpectedLine[];
  draftId: string | null;
  mayPost: boolean;
  rules: OverRules;
  at: Date;
  date: string;
}

/** When the goods came: as entered, in the stores' zone, else now. */
export function receivedAt({ cameAt }: ReceiveForm, at: Date, date: string): Date {
  return cameAt ? new Date(`${date}T${cameAt}:00+08:00`) : at;
}

/** Why goods cannot have come at the entered time; null if they can. */
export function cameAtFault(form: ReceiveForm, at: Date, date: string): string | null {
  if (!(receivedAt(form, at, date) > at)) return null;
  const clock = moment(at.toISOString()).split(', ')[1];
  return `It is ${clock} now. Enter a time that has passed, or leave it empty.`;
}

/** The receipt as queued and sent. */
export function recordOf(finished: Finished): BranchRecord {
  const { uid, coming, form, lines, mayPost, rules, at, date } = finished;
  const read = lines.map((line) => ({
    line,
    reading: readLine(line, form.lines[line.id], rules),
  }));
  const overridden = read.some(({ reading }) => reading.beyond);
  const shown = Object.entries(form.photoProducts ?? {}).filter(([id]) => form.photos.includes(id));
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
      // Its business date is that of this time, once the server has corrected it for this device's clock.
      receivedAt: receivedAt(form, at, date).toISOString(),
      ...(form.photos.length > 0 ? { photos: form.photos } : {}),
      ...(shown.length > 0 ? { photoProducts: Object.fromEntries(shown) } : {}),
      ...(lines.length > 0
        ? {
            lines: read.map(({ line, reading }) => ({
              sourceLineId: line.id,
              received: reading.received,
              rejected: reading.rejected,
              reason: reading.differs ? reading.reason : '',
              resolution: resolutionOf(reading, form.lines[line.id]),
            })),
          }
        : {}),
    },
    draftId: form.draftId ?? finished.draftId,
    step: mayPost ? 'post' : null,
    ...(overridden
      ? { stepBody: { override: true, reason: 'More came than was sent, and was kept.' } }
      : {}),
    photos: form.photos,
    lineNames: lines.map(({ name }) => name),
    subject: coming.id,
    form,
  };
}

/** Lines of one product, in the order they come: one, or one for each of its lots. */
export interface ProductLines {
  /** The id of the first line. */
  id: string;
  lines: readonly ExpectedLine[];
  /** In the unit of the lines. */
  expected: number;
}

/** Puts the lots of a product together. */
export function byProduct(lines: readonly ExpectedLine[]): ProductLines[] {
  const products = new Map<string, ExpectedLine[]>();
  for (const line of lines) {
    const key = JSON.stringify([line.sku, line.name, line.unit]);
    products.set(key, [...(products.get(key) ?? []), line]);
  }
  return [...products.values()].map((all) => ({
    id: all[0]?.id ?? '',
    lines: all,
    expected: sum(all.map(({ expected }) => expected)),
  }));
}

/** Whether a line is found by what was typed: its name, SKU or lot. */
export function isFound({ name, sku, lot }: ExpectedLine, search: string): boolean {
  const wanted = search.trim().toLowerCase();
  return `${name} ${sku ?? ''} ${lot ?? ''}`.toLowerCase().includes(wanted);
}

/** The counts of damaged pieces offered for one tap, none of them more than came. */
export function damagedChoices(
  received: number,
  unit: string,
  whole: boolean | null | undefined,
): number[] {
  if (kindOfUnit(unit, whole) !== 'whole') return [];
  return [1, 2, 3, 4, 6, 12].filter((count) => count <= received);
}
