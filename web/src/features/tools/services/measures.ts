// Forecasts and their errors in plain words.
import { percent, plural, qty } from '#/ui/format';
import { methodLabel } from '#/ui/methods';
import type { Errors, Series } from './forecastApi';

export { methodLabel } from '#/ui/methods';

type Maybe = number | null | undefined;

/** Rounds to useful precision. */
export function near(value: Maybe): number | null {
  if (value == null) return null;
  const size = Math.abs(value);
  const places = size >= 100 ? 0 : size >= 10 ? 1 : 2;
  return Math.round(value * 10 ** places) / 10 ** places;
}

/** «12.5 kg» */
export const amountOf = (value: Maybe, unit: string | null | undefined): string =>
  `${qty(near(value))}${value != null && unit ? ` ${unit}` : ''}`;

/** WAPE: total absolute error as a share of sales. */
export const offLabel = (wape: Maybe): string =>
  wape == null ? 'Nothing was sold to compare with' : `Off by ${percent(wape)} of what was sold`;

/** Below this share a forecast is unbiased. */
const EVEN = 0.02;

/** Bias as a share of sales. */
export function leanLabel(bias: Maybe): string {
  if (bias == null) return '';
  if (Math.abs(bias) < EVEN) return 'Even';
  return bias > 0 ? `${percent(bias)} too high` : `${percent(-bias)} too low`;
}

/** Bias in units a day, next to daily use. */
export function leanADay(bias: Maybe, perDay: Maybe, unit: string | null | undefined): string {
  if (bias == null) return '';
  if (perDay && Math.abs(bias) < Math.abs(perDay) * EVEN) return 'Even';
  if (bias === 0) return 'Even';
  return `${amountOf(Math.abs(bias), unit)} a day too ${bias > 0 ? 'high' : 'low'}`;
}

/** MASE: below one is better than the same weekday a week before. */
export function againstLastWeek(mase: Maybe): string {
  if (mase == null) return '';
  if (Math.abs(mase - 1) < 0.005) return 'as good as repeating last week';
  const apart = percent(Math.abs(1 - mase), 0);
  return mase < 1
    ? `${apart} closer than repeating last week`
    : `${apart} further off than repeating last week`;
}

/** Days inside the interval, next to the expected share. */
export function heldLabel(coverage: Maybe, level: number): string {
  if (coverage == null) return '';
  return `${percent(coverage, 0)} of days were within the interval meant for ${percent(level, 0)}`;
}

const CLASSES: Readonly<Record<string, string>> = {
  smooth: 'sells most days, in like amounts',
  erratic: 'sells most days, in uneven amounts',
  intermittent: 'sells on few days, in like amounts',
  lumpy: 'sells on few days, in uneven amounts',
};

export const klassLabel = (klass: string | null | undefined): string => CLASSES[klass ?? ''] ?? '';

/** A method's past accuracy, as text next to the chart. */
export function trialLabel(errors: Errors | null | undefined, level: number): string {
  if (!errors || errors.wape == null) return 'Too little was sold to tell how good it is.';
  const held = heldLabel(errors.coverage, level);
  return `In ${plural(errors.origins, 'trial')} on past days it was off by ${percent(errors.wape)} of what was sold${held ? `; ${held}` : ''}.`;
}

/** The reason for this method, in a sentence. */
export function whyLabel(series: Series): string {
  const { klass, method, candidates } = series;
  if (!method) return series.note ?? 'It could not be forecast.';
  const first = candidates[0];
  const sells = klassLabel(klass);
  const because = sells ? `The item ${sells}. ` : '';
  if (candidates.length < 2 || !first) return because;
  if (first.method === method) {
    return `${because}${methodLabel(method)} is the usual method for such items, and none was clearly better.`;
  }
  const own = candidates.find((one) => one.method === method);
  const better =
    own?.wape != null && first.wape ? percent(1 - own.wape / first.wape, 0) : 'clearly';
  return `${because}${methodLabel(method)} was ${better} closer than the usual ${methodLabel(first.method).toLowerCase()}.`;
}
