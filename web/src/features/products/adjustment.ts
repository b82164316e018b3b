// What an adjustment comes to, worked out before it is sent.
import { isSum, work } from '#/ui/arithmetic';
import { qty } from '#/ui/format';
import type { PlaceKind, PlaceStock } from './api';

/** A place where stock of a product can lie. */
export interface Place {
  kind: PlaceKind;
  id: string;
  name: string;
}

/** What lies where, as far as it counts to a product's quantity. */
export interface Lies {
  /** In all places together. */
  total: number;
  places: readonly PlaceStock[];
  /** Where the difference goes when no place is chosen. */
  usual: Place | null;
}

export interface Outcome {
  /** What is sent; null while it can't be. */
  quantity: number | null;
  /** What is wrong with what was typed, and what to do. */
  wrong: string | null;
  /** What will be posted, line by line. */
  lines: readonly string[];
}

const rounded = (value: number) => Math.round(value * 1e6) / 1e6;

export function lyingAt({ places }: Lies, place: Place): number {
  const found = places.find((one) => one.placeKind === place.kind && one.placeId === place.id);
  return found?.qty ?? 0;
}

/** «36 jar at Pasig, 5 jar at Mandaue» */
function where({ places }: Lies, amount: (value: number) => string): string {
  const lies = places.map((one) => `${amount(one.qty)} at ${one.placeName}`);
  return lies.length === 0 ? 'nothing anywhere' : lies.join(', ');
}

/** With a place the number is what lies there; without one, what there is in all. */
export function outcome(typed: string, lies: Lies, place: Place | null, unit: string): Outcome {
  const amount = (value: number) => `${qty(value)} ${unit}`.trim();
  if (!typed.trim()) return { quantity: null, wrong: null, lines: [] };
  const quantity = work(typed);
  if (quantity === null) {
    return { quantity: null, wrong: 'Enter a number, such as 12.5 or 12*3.', lines: [] };
  }
  if (quantity < 0) return { quantity: null, wrong: 'Enter zero or more.', lines: [] };
  const before = place ? lyingAt(lies, place) : lies.total;
  const change = rounded(quantity - before);
  const sum = isSum(typed) ? [`= ${amount(quantity)}`] : [];
  if (change === 0) return { quantity, wrong: null, lines: [...sum, 'Nothing changes.'] };
  const by = `${change > 0 ? '+' : ''}${amount(change)}`;
  if (place) {
    const lines = [
      `${place.name}: ${amount(before)} → ${amount(quantity)} (${by})`,
      `All places: ${amount(rounded(lies.total + change))}`,
    ];
    return { quantity, wrong: null, lines: [...sum, ...lines] };
  }
  const { usual } = lies;
  const there = usual ? lyingAt(lies, usual) : 0;
  if (usual && rounded(there + change) < 0) {
    const wrong = `${usual.name} would go below zero; there is ${where(lies, amount)}. Choose the place you counted.`;
    return { quantity: null, wrong, lines: [] };
  }
  const all = `All places: ${amount(before)} → ${amount(quantity)}`;
  const goes = usual
    ? `${by} at ${usual.name}: ${amount(there)} → ${amount(rounded(there + change))}`
    : by;
  return { quantity, wrong: null, lines: [...sum, all, goes] };
}
