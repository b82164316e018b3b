// What is typed for one item: a field for each pack and one for single pieces.
import { work } from '#/ui/arithmetic';
import type { Item } from './types';

export const BASE = 'base';

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
    { key: BASE, code: uomCode ?? 'pc', factor: 1 },
  ];
}

export type Reading =
  | { kind: 'empty' }
  | { kind: 'wrong'; says: string }
  | { kind: 'number'; value: number };

/** What the fields come to, worked out exactly. */
export function readDraft(draft: Draft, units: readonly Unit[]): Reading {
  const filled = units.filter(({ key }) => draft[key]?.trim());
  if (filled.length === 0) return { kind: 'empty' };
  const wrong = filled.find(({ key }) => work(draft[key] ?? '') === null);
  if (wrong) return { kind: 'wrong', says: `“${draft[wrong.key]?.trim()}” is not a number.` };
  const value = work(filled.map(({ key, factor }) => `(${draft[key]})*${factor}`).join('+'));
  if (value === null) return { kind: 'wrong', says: 'This is not a number.' };
  if (value < 0) return { kind: 'wrong', says: 'A count cannot be below zero.' };
  return { kind: 'number', value };
}
