// A month's calendar: its weeks, and each day's events.
import { addDays, addMonths, firstOfMonth, isDay, monday } from '#/ui/dates';
import { shortDay } from '#/ui/format';
import type { ForecastEvent } from '../forecastApi';

/** The labels of event kinds. */
export const KINDS: Readonly<Record<string, string>> = {
  payday: 'Payday',
  holiday: 'Holiday',
  promotion: 'Promotion',
  closure: 'Closure',
};

export const kindWord = (kind: string): string => KINDS[kind] ?? kind;

/** The month in the address, else today's. */
export const monthOf = (text: string, today: string): string =>
  firstOfMonth(isDay(`${text}-01`) ? `${text}-01` : today);

/** As stored in the address: `2026-11`. */
export const monthText = (month: string): string => month.slice(0, 7);

/** «26 – 28 Nov», as short as possible. */
export function daysLabel({ from, to }: Pick<ForecastEvent, 'from' | 'to'>): string {
  if (from === to) return shortDay(from);
  const start = from.slice(0, 7) === to.slice(0, 7) ? Number(from.slice(8)) : shortDay(from);
  return `${start} – ${shortDay(to)}`;
}

/** A month's weeks in the calendar: whole ones, from Monday. */
export function weeksOf(month: string): string[][] {
  const last = addDays(addMonths(firstOfMonth(month), 1), -1);
  const weeks: string[][] = [];
  for (let day = monday(firstOfMonth(month)); day <= last; day = addDays(day, 7)) {
    weeks.push(Array.from({ length: 7 }, (_, i) => addDays(day, i)));
  }
  return weeks;
}

/** A day's events, user-defined ones first. */
export function eventsOn(events: readonly ForecastEvent[], day: string): ForecastEvent[] {
  return events
    .filter(({ from, to }) => from <= day && day <= to)
    .toSorted((a, b) => Number(a.builtIn) - Number(b.builtIn) || a.name.localeCompare(b.name));
}
