// What the list of a store's orders shows.
import { orderDef } from '#/documents/orders';
import type { Tone } from '#/ui/StatusPill';
import type { BranchToday, OrderDue, PlacedOrder } from '../types';
import { dueOf } from './form';
import { type OrderSubject, readSubject, subjectOf } from './subject';

/** A form begun on this device, for a day that can no longer be ordered for. */
export interface Begun extends OrderSubject {
  subject: string;
  sourceName: string | null;
}

export interface OrderLists {
  /** The next delivery of each source that can be ordered for. */
  next: OrderDue[];
  /** Drafts for other days that can still be sent. */
  drafts: PlacedOrder[];
  /** Drafts past their cut-off. */
  past: PlacedOrder[];
  begun: Begun[];
  /** Orders that were sent, and rejected ones. */
  sent: PlacedOrder[];
}

const isOpen = (status: string | null | undefined) => !status || status === 'draft';

/** Whether a draft can no longer be sent for its day in the ordinary way. */
export function isPast({ past, cutoffAt }: Pick<PlacedOrder, 'past' | 'cutoffAt'>, now: number) {
  return past || (cutoffAt != null && Date.parse(cutoffAt) <= now);
}

/**
 * The orders of a store, each in one place. `forms`: the subjects of forms on this device; `busy`: subjects that are on
 * their way to the server.
 */
export function listsOf(
  today: BranchToday,
  forms: readonly string[],
  busy: ReadonlySet<string | null | undefined>,
  now: number,
): OrderLists {
  const placed = today.placed ?? [];
  const next = today.orders.filter((due) => isOpen(due.status));
  const shown = new Set(next.map(({ orderId }) => orderId));
  const drafts = placed.filter(({ id, status }) => status === 'draft' && !shown.has(id));
  const past = drafts.filter((order) => isPast(order, now));
  const known = new Set([...next, ...drafts].map(subjectOf));
  const names = new Map(
    [...today.orders, ...placed].map((one) => [one.sourceId, one.sourceName ?? null]),
  );
  const begun = forms
    .map((subject) => ({ subject, ...readSubject(subject) }))
    // One without a day is shown with the next delivery of its source.
    .filter(({ subject, neededDate }) => neededDate !== null && !known.has(subject))
    .map((one) => ({ ...one, sourceName: names.get(one.sourceId) ?? null }));
  return {
    next: next.filter((due) => !busy.has(subjectOf(due))),
    drafts: drafts.filter((order) => !past.includes(order) && !busy.has(subjectOf(order))),
    past: past.filter((order) => !busy.has(subjectOf(order))),
    begun: begun.filter(({ subject }) => !busy.has(subject)),
    sent: placed.filter(({ status }) => status !== 'draft'),
  };
}

/** The order that a form is for, and whether its day can no longer be ordered for. */
export function foundFor(
  today: BranchToday,
  subject: string,
  now: number,
): { due: OrderDue; past: boolean; next: OrderDue | null } | null {
  const { sourceType, sourceId, neededDate } = readSubject(subject);
  const ofSource = today.orders.find(
    (one) => one.sourceType === sourceType && one.sourceId === sourceId,
  );
  const next = ofSource ?? null;
  const open = ofSource && isOpen(ofSource.status) ? ofSource : null;
  if (open && (neededDate === null || open.neededDate === neededDate)) {
    const past = isPast({ past: false, cutoffAt: open.cutoffAt }, now);
    return { due: open, past, next: past ? null : next };
  }
  const placed = (today.placed ?? []).filter((one) => subjectOf(one) === subject);
  const draft = placed.find(({ status }) => status === 'draft');
  if (draft) return { due: dueOf(draft), past: isPast(draft, now), next };
  // Sent already, and nothing is begun for the day.
  if (neededDate === null || placed.length > 0 || ofSource?.neededDate === neededDate) return null;
  const due: OrderDue = {
    sourceType,
    sourceId,
    sourceName: ofSource?.sourceName ?? null,
    neededDate,
    cutoffAt: null,
    orderId: null,
    orderNo: null,
    status: null,
  };
  return { due, past: true, next };
}

/** The state of an order in words of a store: packed and on the way come from its deliveries. */
export function stateOf(order: PlacedOrder): { label: string; tone: Tone; waiting?: string } {
  const words = orderDef.states[order.status] ?? { label: order.status, tone: 'neutral' };
  if (order.status !== 'approved') return words;
  const statuses = order.deliveries.map(({ status }) => status);
  if (statuses.includes('packed')) {
    return { label: 'Packed', tone: 'brand', waiting: 'waiting for the truck' };
  }
  if (statuses.includes('picking')) {
    return { label: 'Being packed', tone: 'brand', waiting: 'in the kitchen' };
  }
  return words;
}
