// How much of a lot a place has: stores sell and count without naming lots.
import { qty } from '#/ui/format';
import type { Recall } from './api';

export interface OfLot {
  qty: number;
  atLeast: number;
  atMost: number;
}

/** `0 to 12`; null if it is known. */
export const rangeOf = ({ atLeast, atMost }: OfLot) =>
  atLeast === atMost ? null : `${qty(atLeast)} to ${qty(atMost)}`;

/** `probably 12 pc, 0 to 30 possible` */
export function stillThere(place: OfLot, unit?: string | null): string {
  const withUnit = (n: number) => `${qty(n)} ${unit ?? ''}`.trimEnd();
  const range = rangeOf(place);
  if (range) {
    const likely = place.qty === 0 ? 'none' : withUnit(place.qty);
    return `probably ${likely}, ${range} possible`;
  }
  return place.qty === 0 ? 'probably none' : withUnit(place.qty);
}

/** «at Cubao», «on its way to Cubao». */
export function placeOf({ placeKind, placeName }: Pick<Recall, 'placeKind' | 'placeName'>): string {
  return placeKind === 'inTransit'
    ? placeName.charAt(0).toLowerCase() + placeName.slice(1)
    : `at ${placeName}`;
}
