// A product's daily balances, computed backwards from the present quantity.
import { addDays, daysBetween, today } from '#/ui/dates';
import type { Movement } from '../api';
import { countsToQuantity } from '../places';

export interface DayBalance {
  day: string;
  qty: number;
}

/** Days at most. */
const DAYS = 90;

/** Quantities have six decimal places. */
const exact = (qty: number) => Math.round(qty * 1e6) / 1e6 || 0;

/**
 * The stock at the end of each day. `movements` come newest first; where they are not all of them,
 * days before the oldest are left out.
 */
export function dailyBalances(
  movements: readonly Movement[],
  total: number,
  all: boolean,
  now: string = today(),
): DayBalance[] {
  const moved = movements
    .filter(({ placeKind }) => countsToQuantity(placeKind))
    .map(({ postedAt, qty }) => ({ day: today(new Date(postedAt)), qty }));
  const oldest = moved.at(-1)?.day;
  if (!oldest) return [];
  const least = addDays(now, 1 - DAYS);
  const begin = all ? addDays(oldest, -1) : oldest;
  const days = daysBetween(begin > least ? begin : least, now);
  const byDay = new Map<string, number[]>();
  for (const { day, qty } of moved) byDay.set(day, [...(byDay.get(day) ?? []), qty]);
  let left = total;
  const balances: DayBalance[] = [];
  for (const day of days.reverse()) {
    balances.push({ day, qty: exact(left) });
    for (const qty of byDay.get(day) ?? []) left -= qty;
  }
  return balances.reverse();
}
