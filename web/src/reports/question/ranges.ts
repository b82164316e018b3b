// A report's named ranges. A name in the address is relative: «last 4 weeks» opened next month shows next month's.
import { addDays, addMonths, firstOfMonth, isDay, monday, type Range } from '#/ui/dates';

export interface NamedRange {
  id: string;
  label: string;
  range(now: string): Range;
}

/** Whole weeks before the current one. */
const weeksBack = (n: number) => (now: string) => ({
  from: addDays(monday(now), -7 * n),
  to: addDays(monday(now), -1),
});

/**
 * Running ranges end today: nothing was sold tomorrow, and the previous period should be as long as
 * the days that have passed.
 */
export const namedRanges: readonly NamedRange[] = [
  {
    id: 'this-week',
    label: 'This week',
    range: (now) => ({ from: monday(now), to: now }),
  },
  { id: 'last-week', label: 'Last week', range: weeksBack(1) },
  { id: 'last-4-weeks', label: 'Last 4 weeks', range: weeksBack(4) },
  { id: 'last-13-weeks', label: 'Last 13 weeks', range: weeksBack(13) },
  {
    id: 'this-month',
    label: 'This month',
    range: (now) => ({ from: firstOfMonth(now), to: now }),
  },
  {
    id: 'last-month',
    label: 'Last month',
    range: (now) => ({ from: addMonths(now, -1), to: addDays(firstOfMonth(now), -1) }),
  },
  {
    id: 'this-year',
    label: 'This year',
    range: (now) => ({ from: `${now.slice(0, 4)}-01-01`, to: now }),
  },
  {
    id: 'last-year',
    label: 'Last year',
    range: (now) => {
      const year = Number(now.slice(0, 4)) - 1;
      return { from: `${year}-01-01`, to: `${year}-12-31` };
    },
  },
];

export const USUAL_RANGE = 'last-13-weeks';

export interface ChosenRange extends Range {
  /** The range's name; null for two dates. */
  id: string | null;
  label: string | null;
}

/** The range in the address; two dates win over a name, an invalid one means the default. */
export function readRange(
  get: (name: string) => string,
  now: string,
  usual: string = USUAL_RANGE,
): ChosenRange {
  const [from, to] = [get('from'), get('to')];
  if (isDay(from) && isDay(to) && from <= to) return { id: null, label: null, from, to };
  const named =
    namedRanges.find(({ id }) => id === get('range')) ?? namedRanges.find(({ id }) => id === usual);
  if (!named) throw new Error('the usual range has a name');
  return { id: named.id, label: named.label, ...named.range(now) };
}

/** The range as stored in the address; the default is left out. */
export function writeRange(
  range: Range | { id: string },
  usual: string = USUAL_RANGE,
): Record<string, string | null> {
  if ('id' in range) {
    return { range: range.id === usual ? null : range.id, from: null, to: null };
  }
  return { range: null, from: range.from, to: range.to };
}
