// Single days of forecasts and outcomes.
import type { Sign } from '#/charts/types';
import type { JudgedSeries } from '../forecastApi';

export interface Miss {
  date: string;
  sold: number;
  said: number;
  /** Positive if the forecast was too high. */
  missed: number;
}

/** The days with the largest misses; unknown days do not count. */
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

/** Unknown days, and days with an override instead of a method's forecast. */
export function signsOf({ actual, method }: Pick<JudgedSeries, 'actual' | 'method'>): Sign[] {
  return method.flatMap((by, at): Sign[] => [
    ...(actual[at] == null
      ? [{ at, kind: 'unknown' as const, label: 'Not known: closed or not imported' }]
      : []),
    ...(by === 'override' ? [{ at, kind: 'changed' as const, label: 'Override' }] : []),
  ]);
}
