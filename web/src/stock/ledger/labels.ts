// Texts, links and chart points of the stock ledger.
import { documentType } from '#/documents/registry';
import { type Permission, type pages, spec, to } from '#/paths';
import { writeCell } from '#/ui/cell';
import { addDays, daysBetween } from '#/ui/dates';
import { qty, shortDay } from '#/ui/format';
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

/** A quantity with its sign. */
export const signed = (value: number | null | undefined): string =>
  value != null && value > 0 ? `+${qty(value)}` : qty(value);

/** Whether the sum of the day's documents differs from this item's movement, because they moved other items, too. */
export function isShared(day: LedgerDay): boolean {
  return day.movements.length > 0 && sum(day.movements.map(({ qty }) => qty)) !== day.moved;
}

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
    // The sum of the day's last counts, taken before or after its movements.
    const counted =
      day && last && balance !== null
        ? last.before
          ? sum([balance, -day.moved, day.used])
          : balance
        : null;
    const known = (day?.counts ?? []).filter(
      ({ before, variance }) => before === last?.before && variance != null,
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
        hasMoved(day) && `moved ${signed(day.moved)}`,
        day.used !== 0 && `used ${qty(day.used)}`,
        day.counts.length > 0 && 'counted',
      ].filter(Boolean)
    : [];
  return [shortDay(date), ...what].join(' · ');
}

/** The balance after each line of a day: earlier counts, movements, sales, later counts. */
export interface Running {
  before: (number | null)[];
  movements: (number | null)[];
  used: number | null;
  after: (number | null)[];
}

/**
 * Walks through a day line by line from its opening balance. Null if unknown: before the first
 * count, and after a document that moved more than this item's part.
 */
export function runningOf(day: LedgerDay, start: number | null): Running {
  let now = isShared(day) ? null : start;
  const counted = ({ variance, qty }: LedgerCount) => {
    // A first count starts the balance.
    now =
      variance == null ? (now === null ? qty : null) : now === null ? null : sum([now, variance]);
    return now;
  };
  const add = (change: number) => {
    now = now === null ? null : sum([now, change]);
    return now;
  };
  const before = day.counts.filter(({ before }) => before).map(counted);
  const movements = day.movements.map(({ qty }) => add(qty));
  const used = add(-day.used);
  const after = day.counts.filter(({ before }) => !before).map(counted);
  // Lines that do not add up to the day's balance are incomplete: documents left out, counts of several items.
  if (now !== null && now === (day.balance ?? null)) return { before, movements, used, after };
  const none = (all: readonly unknown[]) => all.map(() => null);
  return { before: none(before), movements: none(movements), used: null, after: none(after) };
}
