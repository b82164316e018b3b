import { addDays, fromNumber, monday, type Range, toNumber } from '#/ui/dates';
import { day, shortDay } from '#/ui/format';

/** The ISO 8601 week of a day: a week belongs to the year of its Thursday. */
export function isoWeek(date: string): { year: number; week: number } {
  const thursday = toNumber(monday(date)) + 3;
  const year = Number(fromNumber(thursday).slice(0, 4));
  return { year, week: Math.floor((thursday - toNumber(`${year}-01-01`)) / 7) + 1 };
}

/** `W10` */
export const weekName = (date: string) => `W${String(isoWeek(date).week).padStart(2, '0')}`;

const WEEKDAYS = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'];

/** `Mon` */
export function weekday(date: string): string {
  return WEEKDAYS[toNumber(date) - toNumber(monday(date))] ?? '';
}

/** The whole weeks that cover a range. */
export function wholeWeeks({ from, to }: Range): Range {
  return { from: monday(from), to: addDays(monday(to), 6) };
}

/** `W10`, or `W10 ’19` if the year matters: first in a list and in a new year. */
export function weekTag(label: string, before: string | undefined): string {
  const [year = '', week = ''] = label.split('-');
  return before?.startsWith(year) ? week : `${week} ’${year.slice(2)}`;
}

/** More weeks than this are labelled by month and year. */
const YEAR = 60;

/** A week on an axis: `4 Mar`, or `Mar 2019` over years. */
export function weekTick(week: string, weeks: number): string {
  return weeks > YEAR ? day(week).replace(/^\d+ /, '') : shortDay(week);
}

/** `4 – 10 Mar 2019`, as short as possible. */
export function span({ from, to }: Range): string {
  if (from === to) return day(from);
  if (from.slice(0, 7) === to.slice(0, 7)) return `${Number(from.slice(8))} – ${day(to)}`;
  if (from.slice(0, 4) === to.slice(0, 4)) return `${shortDay(from)} – ${day(to)}`;
  return `${day(from)} – ${day(to)}`;
}
