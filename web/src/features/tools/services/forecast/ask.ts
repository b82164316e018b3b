// The next run's parameters in the address.
import { isDay } from '#/ui/dates';
import type { Ask } from '../api';
import type { ForecastDef } from './define';

export interface Asked {
  storeIds: readonly string[];
  itemIds: readonly string[];
  /** Training data; empty for the service's default. */
  from: string;
  to: string;
  method: string;
  horizon: number;
}

const ids = (text: string) => text.split(',').filter(Boolean);

/** Parses the address; invalid values become the defaults. */
export function readAsked(def: ForecastDef, get: (name: string) => string): Asked {
  const [from, to] = [get('from'), get('to')];
  const range = isDay(from) && isDay(to) && from <= to;
  const method = def.methods.find(({ value }) => value === get('method')) ?? def.methods[0];
  return {
    storeIds: ids(get('stores')),
    itemIds: ids(get('items')),
    from: range ? from : '',
    to: range ? to : '',
    method: method?.value ?? '',
    horizon: def.horizons.find((days) => days === Number(get('horizon'))) ?? def.horizon,
  };
}

/** The parameters to send: defaults are left to the service. */
export function askOf(def: ForecastDef, asked: Asked): Ask {
  const { storeIds, itemIds, from, to, method, horizon } = asked;
  return {
    ...(storeIds.length > 0 && { storeIds: [...storeIds] }),
    ...(itemIds.length > 0 && { itemIds: [...itemIds] }),
    ...(from && to && { from, to }),
    ...(method && method !== def.methods[0]?.value && { method }),
    ...(horizon !== def.horizon && { horizon }),
  };
}
