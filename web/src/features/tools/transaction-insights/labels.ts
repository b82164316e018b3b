// Explains figures in plain sentences.
import { count, percent, plural } from '#/ui/format';
import type { BoughtTogether, HourCell } from './api';

/** The change between two figures, as a share; null without a base. */
export function changeOf(
  now: number | null | undefined,
  before: number | null | undefined,
): number | null {
  return now == null || before == null || before === 0 ? null : (now - before) / Math.abs(before);
}

/** «2.3», with one decimal; two if one would show no difference. */
export const times = (lift: number): string => (lift < 1.95 ? lift.toFixed(2) : lift.toFixed(1));

export const nameOf = ({ items }: BoughtTogether): string =>
  items.map(({ name }) => name).join(' + ');

export const idOf = ({ items }: BoughtTogether): string => items.map(({ id }) => id).join('~');

/** «People who buy Tapsilog buy Barako 2.3 times as often as others.» The last item is the surest. */
export function meaning(set: BoughtTogether): string {
  const last = set.items.at(-1)?.name ?? '';
  const first = set.items.slice(0, -1).map(({ name }) => name);
  const what = first.join(' and ');
  if (set.items.length > 2) {
    return `${what} with ${last} come ${times(set.lift)} times as often on one ticket as they would by chance.`;
  }
  return `People who buy ${what} buy ${last} ${times(set.lift)} times as often as others.`;
}

/** The same by tickets: how often buyers of the others also buy this one. */
export function sureness(set: BoughtTogether): string[] {
  return set.items.map(({ name, confidence }) => {
    const others = set.items.filter((item) => item.name !== name).map((item) => item.name);
    return `Of tickets with ${others.join(' and ')}, ${percent(confidence)} have ${name} too.`;
  });
}

export const WEEKDAYS = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'] as const;
export const hourLabel = (hour: number): string => `${String(hour).padStart(2, '0')}:00`;

/** The hours in which a store was open on any weekday, in the order of a business day: from its first hour past midnight. */
export function hoursOf(cells: readonly HourCell[], firstHour: number): number[] {
  const places = new Set(cells.map(({ hour }) => (hour + 24 - firstHour) % 24));
  if (places.size === 0) return [];
  const [first, last] = [Math.min(...places), Math.max(...places)];
  return Array.from({ length: last - first + 1 }, (_, i) => (first + i + firstHour) % 24);
}

/** The busiest hour as text. */
export function busiest(cells: readonly HourCell[]): string {
  const best = cells.reduce<HourCell | null>(
    (best, cell) => (cell.anHour > (best?.anHour ?? 0) ? cell : best),
    null,
  );
  if (!best) return 'No ticket has a time.';
  const day = WEEKDAYS[best.weekday - 1] ?? '';
  return `Busiest: ${day} ${hourLabel(best.hour)}, ${plural(best.anHour, 'ticket')} an open hour (${count(best.tickets)} in all).`;
}
