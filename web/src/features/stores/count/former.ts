// What waits on a device that counted before this console did: a store, a date, a session and what was typed, without a
// name, a time or whoever typed it. It is taken over as if it had been saved here.
import type { CountEntry, CountRecord, Session } from './types';

/** Where a count is told without its time it was made then, in the stores' own: for all of its session's windows. */
const MADE_AT: Record<Session, string> = { opening: '07:00', closing: '23:00', '': '23:00' };

/** Whoever sends it: the device did not write down who counted. */
export const ANYBODY = '';

/**
 * The record as this console writes it; null where there is nothing to send. Read again it is the same to the letter,
 * and so are its names: what was sent before a crash is known to the server.
 */
export function takeOver(
  storeId: string,
  date: string,
  session: Session,
  entries: readonly unknown[],
): CountRecord | null {
  const deviceId = `former-${digest(JSON.stringify([storeId, date, session, entries]))}`;
  const at = new Date(`${date}T${MADE_AT[session]}:00+08:00`);
  if (Number.isNaN(at.getTime())) return null;
  const typed = entries.flatMap((entry, i) => {
    const one = read(entry);
    const seq = i + 1;
    if (one === null) return [];
    return { ...one, at: at.toISOString(), seq, base: null, prev: null, op: `${deviceId}:${seq}` };
  });
  if (typed.length === 0) return null;
  return { v: 1, uid: ANYBODY, deviceId, storeId, date, session, entries: typed };
}

/** An item without a quantity was shown and not counted: that is no zero. */
function read(entry: unknown): Pick<CountEntry, 'itemId' | 'qty'> | null {
  if (typeof entry !== 'object' || entry === null) return null;
  const { itemId, rootProductId, qty } = entry as Record<string, unknown>;
  if (qty === undefined) return null;
  // An item without a name is refused by the server, and shown with that reason.
  return { itemId: String(itemId ?? rootProductId ?? ''), qty: quantity(qty) };
}

/** Empty takes the count away, and what is no number is zero. */
function quantity(qty: unknown): number | null {
  if (qty === null || (typeof qty === 'string' && !qty.trim())) return null;
  const number = Number(typeof qty === 'string' ? qty.replace(',', '.') : qty);
  return Number.isFinite(number) ? number : 0;
}

/** A hundred bits of a text: two that differ do not meet. */
function digest(text: string): string {
  return [0x9e37, 0x79b9].map((seed) => half(text, seed)).join('');
}

function half(text: string, seed: number): string {
  let [a, b] = [0xdeadbeef ^ seed, 0x41c6ce57 ^ seed];
  for (let i = 0; i < text.length; i += 1) {
    const unit = text.charCodeAt(i);
    a = Math.imul(a ^ unit, 2654435761);
    b = Math.imul(b ^ unit, 1597334677);
  }
  a = Math.imul(a ^ (a >>> 16), 2246822507) ^ Math.imul(b ^ (b >>> 13), 3266489909);
  b = Math.imul(b ^ (b >>> 16), 2246822507) ^ Math.imul(a ^ (a >>> 13), 3266489909);
  return [a, b].map((part) => (part >>> 0).toString(16).padStart(8, '0')).join('');
}
