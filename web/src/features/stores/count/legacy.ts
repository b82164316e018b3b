// Records written by the earlier counting app that still wait on devices: store, date, session and quantities, without
// ids, times or the user who counted. They are converted to records of this console.
import type { CountEntry, CountRecord, Session } from './types';

/** The time of day, in the stores' zone, assumed for entries without one: inside the session's window. */
const ASSUMED_TIME: Record<Session, string> = { opening: '07:00', closing: '23:00', '': '23:00' };

/** The `uid` of legacy records: the device did not store who counted. */
export const UNKNOWN_USER = '';

/**
 * The record in this console's form; null when there is nothing to send. Reading it twice gives the same ids, so that
 * the server recognises what was sent before a crash. The prefix `former-` is part of those ids and must not change.
 */
export function readLegacyRecord(
  storeId: string,
  date: string,
  session: Session,
  entries: readonly unknown[],
): CountRecord | null {
  const deviceId = `former-${digest(JSON.stringify([storeId, date, session, entries]))}`;
  const at = new Date(`${date}T${ASSUMED_TIME[session]}:00+08:00`);
  if (Number.isNaN(at.getTime())) return null;
  const typed = entries.flatMap((entry, i) => {
    const one = readEntry(entry);
    const seq = i + 1;
    if (one === null) return [];
    return { ...one, at: at.toISOString(), seq, base: null, prev: null, op: `${deviceId}:${seq}` };
  });
  if (typed.length === 0) return null;
  return { v: 1, uid: UNKNOWN_USER, deviceId, storeId, date, session, entries: typed };
}

/** An item without a quantity was shown but not counted, which is not a zero: null. */
function readEntry(entry: unknown): Pick<CountEntry, 'itemId' | 'qty'> | null {
  if (typeof entry !== 'object' || entry === null) return null;
  const { itemId, rootProductId, qty } = entry as Record<string, unknown>;
  if (qty === undefined) return null;
  // The server refuses an entry without an item, and it is then shown with that reason.
  return { itemId: String(itemId ?? rootProductId ?? ''), qty: parseQty(qty) };
}

/** Empty removes the count (null); what is not a number counts as zero, as it did in that app. */
function parseQty(qty: unknown): number | null {
  if (qty === null || (typeof qty === 'string' && !qty.trim())) return null;
  const number = Number(typeof qty === 'string' ? qty.replace(',', '.') : qty);
  return Number.isFinite(number) ? number : 0;
}

/** A hash of the text, long enough that two records never collide. */
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
