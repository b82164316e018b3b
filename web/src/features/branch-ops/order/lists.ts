// What the list of a store's orders shows.
import { orderDef } from '#/documents/orders';
import type { Tone } from '#/ui/StatusPill';
import { isPast, type OrderSubject, readSubject, subjectOf } from '../orderSubject';
import type { BranchToday, OrderDue, PlacedOrder } from '../types';
import { dueOf } from './form';

/** A form begun on this device, for a day that can no longer be ordered for. */
export interface Begun extends OrderSubject {
  subject: string;
  sourceName: string | null;
}

export interface OrderLists {
  /** The next delivery of each source, unless it was ordered for. */
  next: OrderDue[];
  /** The next deliveries that were ordered for: more can be ordered. */
  more: OrderDue[];
  /** Drafts for other days that can still be sent. */
  drafts: PlacedOrder[];
  /** Drafts past their cut-off. */
  past: PlacedOrder[];
  begun: Begun[];
  /** Orders that were sent, and rejected ones. */
  sent: PlacedOrder[];
}

const isOpen = (status: string | null | undefined) => !status || status === 'draft';

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
  const begunFor = (due: OrderDue) => forms.includes(subjectOf(due));
  const waits = (due: OrderDue) => isOpen(due.status) || begunFor(due);
  const next = today.orders.filter(waits).map((due) => (isOpen(due.status) ? due : blank(due)));
  const shown = new Set(next.map(({ orderId }) => orderId));
  const drafts = placed.filter(({ id, status }) => status === 'draft' && !shown.has(id));
  const past = drafts.filter((order) => isPast(order, now));
  const hasDraft = (due: OrderDue) => drafts.some((one) => subjectOf(one) === subjectOf(due));
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
    next: next.filter((due) => !busy.has(subjectOf(due)) && !hasDraft(due)),
    more: today.orders.filter((due) => !waits(due) && !hasDraft(due)),
    drafts: drafts.filter((order) => !past.includes(order) && !busy.has(subjectOf(order))),
    past: past.filter((order) => !busy.has(subjectOf(order))),
    begun: begun.filter(({ subject }) => !busy.has(subject)),
    sent: placed.filter(({ status }) => status !== 'draft'),
  };
}

/** What a form is for. */
export interface Found {
  due: OrderDue;
  /** Whether its day can no longer be ordered for. */
  past: boolean;
  /** The next truck of the source, if the day is past. */
  next: OrderDue | null;
  /** The order that was sent for the day already: this one comes on top of it. */
  sentNo: string | null;
}

/** Another order for a day that was ordered for. */
const blank = (due: OrderDue): OrderDue => ({ ...due, orderId: null, orderNo: null, status: null });

/** The order that a form is for; null if its source has no delivery that can be ordered for. */
export function foundFor(today: BranchToday, subject: string, now: number): Found | null {
  const { sourceType, sourceId, neededDate } = readSubject(subject);
  const truck = today.orders.find(
    (one) => one.sourceType === sourceType && one.sourceId === sourceId,
  );
  const placed = (today.placed ?? []).filter((one) => subjectOf(one) === subject);
  const draft = placed.find(({ status }) => status === 'draft');
  if (truck && (neededDate ?? truck.neededDate) === truck.neededDate) {
    const past = isPast({ past: false, cutoffAt: truck.cutoffAt }, now);
    const due = isOpen(truck.status) ? truck : draft ? dueOf(draft) : blank(truck);
    return { due, past, next: null, sentNo: isOpen(truck.status) ? null : (truck.orderNo ?? null) };
  }
  if (neededDate === null) return null;
  const next = truck ?? null;
  const sentNo = placed.find(({ status }) => status !== 'draft')?.orderNo ?? null;
  if (draft) return { due: dueOf(draft), past: isPast(draft, now), next, sentNo };
  const sourceName = truck?.sourceName ?? null;
  const due = blank({ sourceType, sourceId, sourceName, neededDate, cutoffAt: null });
  return { due, past: true, next, sentNo };
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
