// Which values the record keeps that others are merged into.
import type { Field, Wire } from '#/form/types';
import { changes, fromRecord, toWire } from '#/form/values';
import { blank } from '#/history/words';

export interface Compared {
  field: Field;
  /** One a record, in their order. */
  values: readonly unknown[];
}

const same = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b);

/** The fields in which the records differ. */
export function differences(fields: readonly Field[], records: readonly object[]): Compared[] {
  const wires = records.map((record) => toWire(fields, fromRecord(fields, record)));
  return fields
    .filter((field) => !('added' in field && field.added))
    .map((field) => ({ field, values: wires.map((wire) => wire[field.name]) }))
    .filter(({ values }) => values.some((value) => !same(value, values[0])));
}

/** The amounts that add up when the records become one, and what they then are: in centavos they are exact. */
export function sums(
  fields: readonly Field[],
  records: readonly object[],
): { field: Field; values: readonly number[]; sum: number }[] {
  return fields
    .filter((field) => 'added' in field && field.added)
    .map((field) => {
      const values = records.map((record) => Number((record as Wire)[field.name] ?? 0));
      const centavos = values.reduce((sum, value) => sum + Math.round(value * 100), 0);
      return { field, values, sum: centavos / 100 };
    })
    .filter(({ values }) => values.some((value) => value !== 0));
}

/** Whose value each field keeps: that of the record that stays, or where it has none, the first there is. */
export function usual(compared: readonly Compared[], stays: number): Record<string, number> {
  return Object.fromEntries(
    compared.map(({ field, values }) => {
      const filled = values.findIndex((value) => !blank(value));
      return [field.name, blank(values[stays]) && filled >= 0 ? filled : stays];
    }),
  );
}

/** What changes in the record that stays. */
export function taken(
  compared: readonly Compared[],
  stays: number,
  choice: Readonly<Record<string, number>>,
): Wire {
  const before = Object.fromEntries(
    compared.map(({ field, values }) => [field.name, values[stays]]),
  );
  const after = Object.fromEntries(
    compared.map(({ field, values }) => [field.name, values[choice[field.name] ?? stays]]),
  );
  return changes(before, after);
}
