// The month's page: its weeks, and the events of each day.
import { addDays, addMonths, firstOfMonth, isDay, monday } from '#/ui/dates';
import { shortDay } from '#/ui/format';
import type { ForecastEvent } from '../forecastApi';

/** What kinds of events are called. */
export const KINDS: Readonly<Record<string, string>> = {
  payday: 'Payday',
  holiday: 'Holiday',
  promotion: 'Promotion',
  closure: 'Closure',
};

export const kindWord = (kind: string): string => KINDS[kind] ?? kind;

/** The month of the address; today's where it names none. */
export const monthOf = (text: string, today: string): string =>
  firstOfMonth(isDay(`${text}-01`) ? `${text}-01` : today);

/** As the address keeps it: `2026-11`. */
export const monthText = (month: string): string => month.slice(0, 7);

/** «26 – 28 Nov», as short as it can be said. */
export function daysLabel({ from, to }: Pick<ForecastEvent, 'from' | 'to'>): string {
  if (from === to) return shortDay(from);
  const start = from.slice(0, 7) === to.slice(0, 7) ? Number(from.slice(8)) : shortDay(from);
  return `${start} – ${shortDay(to)}`;
}

/** The weeks a month's page shows: whole ones, from Monday. */
export function weeksOf(month: string): string[][] {
  const last = addDays(addMonths(firstOfMonth(month), 1), -1);
  const weeks: string[][] = [];
  for (let day = monday(firstOfMonth(month)); day <= last; day = addDays(day, 7)) {
    weeks.push(Array.from({ length: 7 }, (_, i) => addDays(day, i)));
  }
  return weeks;
}

/** The events of a day, what people entered first. */
export function eventsOn(events: readonly ForecastEvent[], day: string): ForecastEvent[] {
  return events
    .filter(({ from, to }) => from <= day && day <= to)
    .toSorted((a, b) => Number(a.builtIn) - Number(b.builtIn) || a.name.localeCompare(b.name));
}
