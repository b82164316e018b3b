// Evaluates a lot's trace: who got it, and where each of its lots is.
import type { LotTrace, TracedLot, TraceEvent } from '#/stock/api';
import type { OfLot } from '#/stock/stillThere';

export type Side = 'asked' | 'madeOf' | 'wentInto';

export const EVENT_WORDS: Readonly<Record<string, string>> = {
  made: 'Made',
  used: 'Used',
  sent: 'Sent',
  received: 'Received',
  returned: 'Came back',
  wasted: 'Wasted',
  adjusted: 'Adjusted',
};

export const lotKey = ({ productId, lot }: { productId: string; lot: string }) =>
  `${productId} ${lot}`;

/** A place that has, or had, a lot. */
export interface Holder {
  key: string;
  lot: TracedLot;
  place: string;
  /** The received total, in base units; null without a receipt. */
  got: number | null;
  first: string | null;
  last: string | null;
  /** What went out by documents. */
  out: number;
  /** What is likely still there, and what is possible. */
  there: number;
  atLeast: number;
  atMost: number;
  onItsWay: boolean;
}

/** Every place that got the lot or a product of it: when, how much, and what is left. */
export function holdersOf(trace: LotTrace): Holder[] {
  const lots = new Map(trace.lots.map((lot) => [lotKey(lot), lot]));
  const found = new Map<string, Holder>();
  const at = (lot: TracedLot, place: string): Holder => {
    const key = `${lotKey(lot)} ${place}`;
    const known = found.get(key);
    if (known) return known;
    const holder: Holder = {
      key,
      lot,
      place,
      got: null,
      first: null,
      last: null,
      out: 0,
      there: 0,
      atLeast: 0,
      atMost: 0,
      onItsWay: false,
    };
    found.set(key, holder);
    return holder;
  };
  for (const event of trace.events) {
    const lot = lots.get(lotKey(event));
    if (!lot || lot.side === 'madeOf' || event.event !== 'received' || !event.to) continue;
    const holder = at(lot, event.to);
    holder.got = (holder.got ?? 0) + event.qty;
    if (!holder.first || event.date < holder.first) holder.first = event.date;
    if (!holder.last || event.date > holder.last) holder.last = event.date;
  }
  for (const place of trace.there) {
    const lot = lots.get(lotKey(place));
    if (!lot || lot.side === 'madeOf' || (place.qty === 0 && place.atMost === 0)) continue;
    const way = place.placeKind === 'inTransit';
    const holder = at(lot, way ? `On its way to ${place.placeName}` : place.placeName);
    holder.out += place.left;
    holder.there += place.qty;
    holder.atLeast += place.atLeast;
    holder.atMost += place.atMost;
    holder.onItsWay = way;
  }
  return [...found.values()].sort(
    (a, b) => b.there - a.there || (a.first ?? '').localeCompare(b.first ?? ''),
  );
}

/** A lot's likely total stock, and what is possible. */
export const inAll = (trace: LotTrace, lot: TracedLot): OfLot =>
  trace.there
    .filter((place) => lotKey(place) === lotKey(lot))
    .reduce(
      (sum, one) => ({
        qty: sum.qty + one.qty,
        atLeast: sum.atLeast + one.atLeast,
        atMost: sum.atMost + one.atMost,
      }),
      { qty: 0, atLeast: 0, atMost: 0 },
    );

/** Where the lot itself began, one line per document and place. */
export interface Origin {
  key: string;
  event: string;
  /** The supplier, or the place of production. */
  place: string | null;
  to: string | null;
  date: string;
  qty: number;
  uomCode: string | null;
  document: TraceEvent;
}

/** The batch that made it, or else the supplier's delivery. */
export function originsOf(trace: LotTrace): Origin[] {
  const asked = new Set(trace.lots.filter(({ side }) => side === 'asked').map(lotKey));
  const own = trace.events.filter((event) => asked.has(lotKey(event)));
  const made = own.filter(({ event }) => event === 'made');
  const first = made.length > 0 ? made : own.filter((one) => one.event === 'received' && one.from);
  const found = new Map<string, Origin>();
  for (const event of first) {
    const { from, to } = event;
    const key = [lotKey(event), event.event, from, to, event.documentNo, event.date].join(' ');
    const known = found.get(key);
    if (known) known.qty += event.qty;
    else {
      found.set(key, {
        key,
        event: event.event,
        place: (event.event === 'made' ? to : from) ?? null,
        to: to ?? null,
        date: event.date,
        qty: event.qty,
        uomCode: event.uomCode ?? null,
        document: event,
      });
    }
  }
  return [...found.values()].sort((a, b) => a.date.localeCompare(b.date));
}

/** How much of a lot the requested lot's batches used; zero if only indirectly. */
export function usedOf(trace: LotTrace, lot: TracedLot): number {
  const batches = new Set(originsOf(trace).map(({ document }) => document.documentId));
  return trace.events
    .filter((one) => one.event === 'used' && lotKey(one) === lotKey(lot))
    .filter(({ documentId }) => batches.has(documentId))
    .reduce((sum, one) => sum + one.qty, 0);
}
