// The accuracy page's parameters in the address.
import { isDay } from '#/ui/dates';
import type { AccuracyQuery } from '../forecastApi';
import { BY, type By } from './by';

export const HORIZONS = [
  { value: 'all', label: 'All days' },
  { value: '1-7', label: '1–7 ahead' },
  { value: '8-14', label: '8–14 ahead' },
] as const;
export type Horizon = (typeof HORIZONS)[number]['value'];

export interface AskedAccuracy {
  by: By;
  horizon: Horizon;
  store: string;
  item: string;
  method: string;
  service: string;
  /** Empty for the server's default: the last four weeks. */
  from: string;
  to: string;
}

/** Parses the address; invalid values become the defaults. */
export function readAccuracy(get: (name: string) => string): AskedAccuracy {
  const [from, to] = [get('from'), get('to')];
  const range = isDay(from) && isDay(to) && from <= to;
  return {
    by: BY.find(({ value }) => value === get('by'))?.value ?? 'series',
    horizon: HORIZONS.find(({ value }) => value === get('horizon'))?.value ?? 'all',
    store: get('store'),
    item: get('item'),
    method: get('method'),
    service: get('service'),
    from: range ? from : '',
    to: range ? to : '',
  };
}

/** The query for the server. */
export const queryOf = (asked: AskedAccuracy): AccuracyQuery => ({
  by: asked.by,
  horizon: asked.horizon,
  storeId: asked.store,
  rootItemId: asked.item,
  method: asked.method,
  service: asked.service,
  from: asked.from,
  to: asked.to,
});
