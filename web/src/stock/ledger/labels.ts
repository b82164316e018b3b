// Texts, links and chart points of the stock ledger.
import { documentType } from '#/documents/registry';
import { type Permission, type pages, spec, to } from '#/paths';
import { writeCell } from '#/ui/cell';
import { addDays, daysBetween } from '#/ui/dates';
import { qty, shortDay, signedQty } from '#/ui/format';

export { signedQty as signed } from '#/ui/format';

import { sum } from '#/ui/sums';
import type { Ledger, LedgerCount, LedgerDay, LedgerMovement } from './api';

/** The name of a kind of movement. */
export function kindWord({ kind, reverses }: LedgerMovement): string {
  const word = kind === 'adjustment' ? 'Adjustment' : (documentType(kind)?.word ?? kind);
  return reverses == null ? word : `${word} reversed`;
}

const COUNTS: Readonly<Record<string, string>> = {
  opening: 'Opening count',
  closing: 'Closing count',
};

export const countWord = ({ session }: LedgerCount): string => COUNTS[session ?? ''] ?? 'Count';

/** Whether stock moved that day, apart from counts. */
export const hasMoved = ({ movements, moved, movedInAll }: LedgerDay): boolean =>
  movements.length > 0 || moved !== 0 || movedInAll !== 0;

type May = (permission: Permission) => boolean;

/** The link to a document; null without a page or permission. */
export function documentHref({ kind, documentId }: LedgerMovement, may: May): string | null {
  const def = documentType(kind);
  return def && may(def.page) ? def.href(documentId) : null;
}

/** The link to a product; null without permission. */
export function productHref(id: string, may: May): string | null {
  return opens('product', may) ? to('product', { id }) : null;
}

/** The link to the store-day of a sale. */
export function salesHref(
  store: string,
  rootItemId: string,
  date: string,
  may: May,
): string | null {
  if (!opens('reportSalesByRootItems', may)) return null;
  const cell = writeCell({ from: date, to: date, storeId: store, itemId: rootItemId });
  return to('reportSalesByRootItems', null, { from: date, to: date, stores: store, cell });
}

function opens(page: keyof typeof pages, may: May): boolean {
  const { built, can } = spec(page);
  return Boolean(built) && (!can || may(can));
}

export interface Points {
  days: { key: string; label: string; title: string }[];
  balance: (number | null)[];
  counted: (number | null)[];
  expected: (number | null)[];
}

/**
 * For every day of the range: the closing balance, the counted and the expected quantity. Starts with
 * the balance before the range, if known.
 */
export function pointsOf(ledger: Ledger): Points {
  const by = new Map(ledger.days.map((day) => [day.date, day]));
  const points: Points = { days: [], balance: [], counted: [], expected: [] };
  let balance = ledger.start ?? null;
  if (balance !== null) {
    const before = addDays(ledger.from, -1);
    points.days.push({ key: before, label: shortDay(before), title: shortDay(before) });
    points.balance.push(balance);
    points.counted.push(null);
    points.expected.push(null);
  }
  for (const date of daysBetween(ledger.from, ledger.to)) {
    const day = by.get(date);
    if (day) balance = day.balance ?? null;
    const last = day?.counts.at(-1);
    // What was there once the last of the day's counts was made.
    const rest = day && last ? afterCounts(day) : null;
    const counted = rest && balance !== null ? sum([balance, -rest.moved, rest.used]) : null;
    const known = (day?.counts ?? []).filter(
      ({ session, variance }) => session === last?.session && variance != null,
    );
    points.days.push({ key: date, label: shortDay(date), title: titleOf(date, day) });
    points.balance.push(balance);
    points.counted.push(counted);
    points.expected.push(
      counted === null || known.length === 0
        ? null
        : sum([counted, ...known.map(({ variance }) => -(variance ?? 0))]),
    );
  }
  return points;
}

function titleOf(date: string, day: LedgerDay | undefined): string {
  const what = day
    ? [
        hasMoved(day) && `moved ${signedQty(day.moved)}`,
        day.used !== 0 && `used ${qty(day.used)}`,
        day.counts.length > 0 && 'counted',
      ].filter(Boolean)
    : [];
  return [shortDay(date), ...what].join(' · ');
}

/** What moved and was used on a day after its last count. */
function afterCounts({ moved, used, counts }: LedgerDay): { moved: number; used: number } {
  return {
    moved: sum([moved, ...counts.map((count) => -count.moved)]),
    used: sum([used, ...counts.map((count) => -count.used)]),
  };
}

/** A line of a day, with the balance after it; null if unknown. */
export type DayLine = { after: number | null } & (
  | {
      kind: 'movement';
      moved: LedgerMovement /** Only part of it is this item's. */;
      whole: boolean;
    }
  | {
      kind: 'part';
      change: number;
      inAll: number | null /** Null without documents. */;
      until: string | null;
    }
  | { kind: 'sales'; used: number; all: boolean; until: string | null; since: string | null }
  | { kind: 'count'; count: LedgerCount }
);

/**
 * Walks through a day in order of time: what moved and was used up to each count, that count, and the rest. The balance is
 * unknown before the first count, and after a document that moved more than this item's part.
 */
export function linesOf(day: LedgerDay, start: number | null, itemId: string): DayLine[] {
  const lines: DayLine[] = [];
  const rest = afterCounts(day);
  let now = start;
  const add = (change: number) => {
    now = now === null ? null : sum([now, change]);
    return now;
  };
  for (let at = 0; at <= day.counts.length; at++) {
    const count = day.counts[at];
    const { moved, used } = count ?? rest;
    const movements = day.movements.filter((one) => one.afterCounts === at);
    const inAll = movements.length > 0 ? sum(movements.map(({ qty }) => qty)) : null;
    const whole = inAll !== null && inAll !== moved;
    const until = count?.at ?? null;
    for (const one of movements) {
      const after = whole ? null : add(one.qty);
      lines.push({ kind: 'movement', moved: one, whole, after });
    }
    const hidden = moved !== 0 || (day.movements.length === 0 && !count && day.movedInAll !== 0);
    if (whole || (inAll === null && hidden)) {
      lines.push({ kind: 'part', change: moved, inAll, until, after: add(moved) });
    }
    const all = used === day.used;
    if (used !== 0 || (!count && day.used === 0 && day.sales.length > 0)) {
      const since = day.counts[at - 1]?.at ?? null;
      lines.push({ kind: 'sales', used, all, since, until, after: add(-used) });
    }
    if (count) {
      now = afterCount(count, now, itemId);
      lines.push({ kind: 'count', count, after: now });
    }
  }
  if (now === (day.balance ?? null)) return lines;
  // They do not lead to the day's balance: documents left out, counts of several items.
  const isOwn = (line: DayLine) => line.kind === 'count' && line.count.itemId === itemId;
  return lines.map((line) => (isOwn(line) ? line : { ...line, after: null }));
}

/** A count of the item itself is what is there; one of several adds its variance. */
function afterCount(
  { itemId, qty, variance }: LedgerCount,
  now: number | null,
  own: string,
): number | null {
  if (itemId === own) return qty;
  if (variance == null) return now === null ? qty : null;
  return now === null ? null : sum([now, variance]);
}
