// Computes the effect of an adjustment before it is sent.
import { inFull, qty } from '#/ui/format';
import { faultOf, isCalculation, isUndecided, kindOfUnit, numberOf } from '#/ui/numberInput';
import type { PlaceKind, PlaceStock } from './api';

/** A place that can hold stock of a product. */
export interface Place {
  kind: PlaceKind;
  id: string;
  name: string;
}

/** The stock that counts towards a product's quantity, by place. */
export interface StockByPlace {
  /** The sum of all places. */
  total: number;
  places: readonly PlaceStock[];
  /** The place that gets the difference when none is chosen. */
  defaultPlace: Place | null;
}

export interface Adjustment {
  /** The quantity to send; null while the input is invalid. */
  quantity: number | null;
  /** The error to show. */
  wrong: string | null;
  /** What will be posted, line by line. */
  lines: readonly string[];
}

const rounded = (value: number) => Math.round(value * 1e6) / 1e6;

export function qtyAt({ places }: StockByPlace, place: Place): number {
  const found = places.find((one) => one.placeKind === place.kind && one.placeId === place.id);
  return found?.qty ?? 0;
}

/** «36 jar at Pasig, 5 jar at Mandaue» */
function placesText({ places }: StockByPlace, amount: (value: number) => string): string {
  const parts = places.map((one) => `${amount(one.qty)} at ${one.placeName}`);
  return parts.length === 0 ? 'nothing anywhere' : parts.join(', ');
}

/** With a place the typed number is the stock there; without one, the total. */
export function adjustmentOf(
  typed: string,
  stock: StockByPlace,
  place: Place | null,
  unit: string,
  whole?: boolean,
): Adjustment {
  const amount = (value: number) => `${qty(value)} ${unit}`.trim();
  if (!typed.trim()) return { quantity: null, wrong: null, lines: [] };
  const reads = kindOfUnit(unit, whole);
  if (isUndecided(typed, reads)) {
    return { quantity: null, wrong: faultOf(typed, reads, unit), lines: [] };
  }
  const quantity = numberOf(typed, reads);
  if (quantity === null) {
    return { quantity: null, wrong: 'Enter a number, such as 12.5 or 12*3.', lines: [] };
  }
  if (quantity < 0) return { quantity: null, wrong: 'Enter zero or more.', lines: [] };
  const before = place ? qtyAt(stock, place) : stock.total;
  const change = rounded(quantity - before);
  const sum = isCalculation(typed) ? [`= ${inFull(quantity)} ${unit}`.trim()] : [];
  if (change === 0) return { quantity, wrong: null, lines: [...sum, 'Nothing changes.'] };
  const by = `${change > 0 ? '+' : ''}${amount(change)}`;
  if (place) {
    const lines = [
      `${place.name}: ${amount(before)} → ${amount(quantity)} (${by})`,
      `All places: ${amount(rounded(stock.total + change))}`,
    ];
    return { quantity, wrong: null, lines: [...sum, ...lines] };
  }
  const { defaultPlace } = stock;
  const there = defaultPlace ? qtyAt(stock, defaultPlace) : 0;
  if (defaultPlace && rounded(there + change) < 0) {
    const wrong = `${defaultPlace.name} would go below zero; there is ${placesText(stock, amount)}. Choose the place you counted.`;
    return { quantity: null, wrong, lines: [] };
  }
  const all = `All places: ${amount(before)} → ${amount(quantity)}`;
  const placeLine = defaultPlace
    ? `${by} at ${defaultPlace.name}: ${amount(there)} → ${amount(rounded(there + change))}`
    : by;
  return { quantity, wrong: null, lines: [...sum, all, placeLine] };
}
