// The input for one item: a field for each pack and one for single pieces.
import {
  faultOf,
  isUndecided,
  kindOfUnit,
  type NumberKind,
  numberOf,
  plainNumber,
} from '#/ui/numberInput';
import type { Item } from './types';

export const BASE_UNIT = 'base';

export interface Unit {
  key: string;
  code: string;
  /** Whether quantities are whole numbers, if the server says. */
  whole?: boolean | null | undefined;
  factor: number;
}

/** How a number in a unit is parsed. */
export const readsOf = ({ code, whole }: Unit): NumberKind => kindOfUnit(code, whole);

export type Draft = Readonly<Record<string, string>>;

/** The largest pack first, single pieces last. */
export function unitsOf({ packs, uomCode, whole }: Item): Unit[] {
  const larger = packs.filter(({ factor, code }) => factor > 0 && code !== uomCode);
  return [
    ...larger
      .map(({ uomId, code, whole, factor }) => ({
        key: uomId,
        code: code ?? `× ${factor}`,
        whole,
        factor,
      }))
      .sort((a, b) => b.factor - a.factor),
    { key: BASE_UNIT, code: uomCode ?? 'pc', whole, factor: 1 },
  ];
}

export type DraftReading =
  | { kind: 'empty' }
  | { kind: 'invalid'; message: string }
  /** The user has to choose between two numbers; nothing is saved before. */
  | { kind: 'undecided'; message: string }
  | { kind: 'number'; value: number };

/** The sum of the fields in base units, computed exactly. */
export function readDraft(draft: Draft, units: readonly Unit[]): DraftReading {
  const filled = units.filter(({ key }) => draft[key]?.trim());
  if (filled.length === 0) return { kind: 'empty' };
  const typed = (key: string) => draft[key] ?? '';
  const open = filled.find((unit) => isUndecided(typed(unit.key), readsOf(unit)));
  if (open) {
    const message = faultOf(typed(open.key), readsOf(open), open.code) ?? '';
    return { kind: 'undecided', message };
  }
  const invalid = filled.find((unit) => numberOf(typed(unit.key), readsOf(unit)) === null);
  if (invalid)
    return { kind: 'invalid', message: `“${draft[invalid.key]?.trim()}” is not a number.` };
  const parts = filled.map((unit) => {
    const many = numberOf(typed(unit.key), readsOf(unit)) ?? 0;
    return `${plainNumber(many)}*${plainNumber(unit.factor)}`;
  });
  const value = numberOf(parts.join('+'), 'divisible');
  if (value === null) return { kind: 'invalid', message: 'Enter a number.' };
  if (value < 0) return { kind: 'invalid', message: 'A count cannot be below zero.' };
  return { kind: 'number', value };
}
