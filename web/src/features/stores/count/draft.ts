// What is typed for one item: a field for each pack and one for single pieces.
import { faultOf, isUndecided, kindOfUnit, numberOf, plainNumber } from '#/ui/numberInput';
import type { Item } from './types';

export const BASE_UNIT = 'base';

export interface Unit {
  key: string;
  code: string;
  factor: number;
}

export type Draft = Readonly<Record<string, string>>;

/** The largest pack first, single pieces last. */
export function unitsOf({ packs, uomCode }: Item): Unit[] {
  const larger = packs.filter(({ factor, code }) => factor > 0 && code !== uomCode);
  return [
    ...larger
      .map(({ uomId, code, factor }) => ({ key: uomId, code: code ?? `× ${factor}`, factor }))
      .sort((a, b) => b.factor - a.factor),
    { key: BASE_UNIT, code: uomCode ?? 'pc', factor: 1 },
  ];
}

export type DraftReading =
  | { kind: 'empty' }
  | { kind: 'invalid'; message: string }
  /** The user has to say which of two numbers it is; nothing is saved before. */
  | { kind: 'undecided'; message: string }
  | { kind: 'number'; value: number };

/** The sum of the fields in base units, computed exactly. */
export function readDraft(draft: Draft, units: readonly Unit[]): DraftReading {
  const filled = units.filter(({ key }) => draft[key]?.trim());
  if (filled.length === 0) return { kind: 'empty' };
  const typed = (key: string) => draft[key] ?? '';
  const open = filled.find(({ key, code }) => isUndecided(typed(key), kindOfUnit(code)));
  if (open) {
    const message = faultOf(typed(open.key), kindOfUnit(open.code), open.code) ?? '';
    return { kind: 'undecided', message };
  }
  const invalid = filled.find(({ key, code }) => numberOf(typed(key), kindOfUnit(code)) === null);
  if (invalid)
    return { kind: 'invalid', message: `“${draft[invalid.key]?.trim()}” is not a number.` };
  const parts = filled.map(({ key, code, factor }) => {
    const many = numberOf(typed(key), kindOfUnit(code)) ?? 0;
    return `${plainNumber(many)}*${plainNumber(factor)}`;
  });
  const value = numberOf(parts.join('+'), 'divisible');
  if (value === null) return { kind: 'invalid', message: 'Enter a number.' };
  if (value < 0) return { kind: 'invalid', message: 'A count cannot be below zero.' };
  return { kind: 'number', value };
}
