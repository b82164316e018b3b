// A daily series by days, weeks or months, for its chart and its table.
import type { Band, Sign } from '#/charts/types';
import { addDays, addMonths, firstOfMonth, monday } from '#/ui/dates';
import { day, plural, shortDay } from '#/ui/format';
import type { Series } from '../forecastApi';

export type Grain = 'day' | 'week' | 'month';

/** One day, week or month. */
export interface Part {
  key: string;
  label: string;
  title: string;
  from: string;
  to: string;
  /** Its days within the series. */
  days: number;
  /** Its days without data. */
  unknown: number;
  /** Sales of its past days; null if unknown. */
  sold: number | null;
  /** Forecast of its days ahead; null if there are none. */
  expected: number | null;
  /** The interval of a single day; intervals do not add up. */
  lower: number | null;
  upper: number | null;
}

const startOf: Readonly<Record<Grain, (date: string) => string>> = {
  day: (date) => date,
  week: monday,
  month: firstOfMonth,
};

const endOf: Readonly<Record<Grain, (start: string) => string>> = {
  day: (start) => start,
  week: (start) => addDays(start, 6),
  month: (start) => addDays(addMonths(start, 1), -1),
};

function names(grain: Grain, start: string): { label: string; title: string } {
  if (grain === 'day') return { label: shortDay(start), title: day(start) };
  if (grain === 'week') {
    const end = endOf.week(start);
    return { label: shortDay(start), title: `Week of ${day(start)} to ${day(end)}` };
  }
  const label = day(start).split(' ').slice(1).join(' ');
  return { label, title: label };
}

/** The override of a day; the latest one counts. */
export function overrideOn({ overrides }: Pick<Series, 'overrides'>, date: string): number | null {
  const found = overrides.filter(({ from, to }) => from <= date && date <= to);
  const last = found.toSorted((a, b) => a.updatedAt.localeCompare(b.updatedAt)).at(-1);
  return last ? Number(last.qty) : null;
}

/** The series by days, weeks or months. Overrides replace the forecast of days ahead. */
export function partsOf(series: Series, grain: Grain): Part[] {
  const parts: Part[] = [];
  const start = startOf[grain];
  series.dates.forEach((date, at) => {
    const from = start(date);
    let part = parts.at(-1);
    if (part?.from !== from) {
      part = {
        key: from,
        ...names(grain, from),
        from,
        to: endOf[grain](from),
        days: 0,
        unknown: 0,
        sold: null,
        expected: null,
        lower: null,
        upper: null,
      };
      parts.push(part);
    }
    const [sold, said] = [series.actual[at] ?? null, series.forecast[at] ?? null];
    part.days += 1;
    if (series.masked[at]) part.unknown += 1;
    if (sold !== null) part.sold = (part.sold ?? 0) + sold;
    // Weeks and months add up past sales and future forecasts, never the same day twice.
    if (said !== null && (grain === 'day' || sold === null)) {
      part.expected = (part.expected ?? 0) + (overrideOn(series, date) ?? said);
    }
    if (grain === 'day') {
      part.lower = series.lower[at] ?? null;
      part.upper = series.upper[at] ?? null;
    }
  });
  return parts;
}

/** How much history is shown before the days ahead. */
const SHOWN: Readonly<Record<Grain, number>> = { day: 70, week: 26, month: 14 };

/** The parts in the chart: the last of the history and all ahead. */
export function shownParts(parts: readonly Part[], grain: Grain, narrow: boolean): Part[] {
  const ahead = parts.findIndex(({ expected }) => expected !== null);
  const first = ahead < 0 ? parts.length : ahead;
  const history = narrow ? Math.ceil(SHOWN[grain] / 2) : SHOWN[grain];
  return parts.slice(Math.max(0, first - history));
}

/** The index of the first day ahead; −1 if there is none. */
export const firstAhead = (parts: readonly Part[]): number =>
  parts.findIndex(({ expected }) => expected !== null);

/** The interval of each day ahead. */
export function bandOf(parts: readonly Part[], label: string, mark: number): Band | undefined {
  if (!parts.some(({ lower }) => lower !== null)) return undefined;
  return {
    label,
    mark,
    lower: parts.map(({ lower }) => lower),
    upper: parts.map(({ upper }) => upper),
  };
}

/** Days that stand out: unknown, special, or overridden. */
export function signsOf(series: Series, parts: readonly Part[], grain: Grain): Sign[] {
  const signs: Sign[] = [];
  parts.forEach((part, at) => {
    if (grain === 'day') {
      if (part.unknown > 0) {
        signs.push({ at, kind: 'unknown', label: 'Not known: closed or not imported' });
      }
      for (const { name } of series.events.filter(({ date }) => date === part.from)) {
        signs.push({ at, kind: 'event', label: name });
      }
      if (part.expected !== null && overrideOn(series, part.from) !== null) {
        signs.push({ at, kind: 'changed', label: 'Override' });
      }
    } else if (part.unknown === part.days) {
      signs.push({ at, kind: 'unknown', label: 'Not known: closed or not imported' });
    }
  });
  return signs;
}

/** The data behind an incomplete part: «5 of 7 days known». */
export function restsOn({ days, unknown, from, to }: Part): string {
  if (unknown > 0) return `${days - unknown} of ${plural(days, 'day')} known`;
  const whole = Math.round((Date.parse(to) - Date.parse(from)) / 86_400_000) + 1;
  return days < whole ? `${days} of ${plural(whole, 'day')}` : '';
}

/** Days ahead, and their total with overrides. */
export function aheadOf(series: Series): { days: number; sum: number; from: string; to: string } {
  const days = series.dates.flatMap((date, at) => {
    const said = series.forecast[at];
    return said == null ? [] : [{ date, value: overrideOn(series, date) ?? said }];
  });
  return {
    days: days.length,
    sum: days.reduce((all, { value }) => all + value, 0),
    from: days[0]?.date ?? '',
    to: days.at(-1)?.date ?? '',
  };
}
