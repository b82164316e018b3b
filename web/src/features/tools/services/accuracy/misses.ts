// Single days of what was forecast and what then happened.
import type { Sign } from '#/charts/types';
import type { JudgedSeries } from '../forecastApi';

export interface Miss {
  date: string;
  sold: number;
  said: number;
  /** Above zero where too much was forecast. */
  missed: number;
}

/** The days that were missed by most; days nobody knows count nowhere. */
export function largestMisses(
  { dates, actual, forecast }: Pick<JudgedSeries, 'dates' | 'actual' | 'forecast'>,
  most: number,
): Miss[] {
  return dates
    .flatMap((date, at): Miss[] => {
      const [sold, said] = [actual[at], forecast[at]];
      return sold == null || said == null ? [] : [{ date, sold, said, missed: said - sold }];
    })
    .filter(({ missed }) => missed !== 0)
    .sort((a, b) => Math.abs(b.missed) - Math.abs(a.missed))
    .slice(0, most);
}

/** Days nobody knows, and days on which people's word stood instead of a method's. */
export function signsOf({ actual, method }: Pick<JudgedSeries, 'actual' | 'method'>): Sign[] {
  return method.flatMap((by, at): Sign[] => [
    ...(actual[at] == null
      ? [{ at, kind: 'unknown' as const, label: 'Not known: closed or not imported' }]
      : []),
    ...(by === 'override' ? [{ at, kind: 'changed' as const, label: 'Override' }] : []),
  ]);
}
