// Which values the record keeps into which others are merged.
import type { Field, Wire } from '#/form/types';
import { changedFields, fromRecord, toWire } from '#/form/values';
import { isBlank } from '#/history/labels';

export interface ComparedField {
  field: Field;
  /** One value per record, in their order. */
  values: readonly unknown[];
}

/** Most records compared side by side. */
export const MERGED_AT_ONCE = 8;

const same = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b);

/** The fields in which the records differ; `wireOf` gives a record's fields as the server takes them. */
export function differences<T extends object>(
  fields: readonly Field[],
  records: readonly T[],
  wireOf: (record: T) => Wire = (record) => toWire(fields, fromRecord(fields, record)),
): ComparedField[] {
  const wires = records.map(wireOf);
  return fields
    .filter((field) => !('added' in field && field.added))
    .map((field) => ({ field, values: wires.map((wire) => wire[field.name]) }))
    .filter(({ values }) => values.some((value) => !same(value, values[0])));
}

/** The fields whose amounts are added up by merging, with their sums, computed in centavos. */
export function summedFields(
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

/** The index of the record whose value each field keeps: the one that stays, or else the first with a value. */
export function defaultChoices(
  compared: readonly ComparedField[],
  stays: number,
): Record<string, number> {
  return Object.fromEntries(
    compared.map(({ field, values }) => {
      const filled = values.findIndex((value) => !isBlank(value));
      return [field.name, isBlank(values[stays]) && filled >= 0 ? filled : stays];
    }),
  );
}

/** The changes to the record that stays. */
export function chosenChanges(
  compared: readonly ComparedField[],
  stays: number,
  choice: Readonly<Record<string, number>>,
): Wire {
  const before = Object.fromEntries(
    compared.map(({ field, values }) => [field.name, values[stays]]),
  );
  const after = Object.fromEntries(
    compared.map(({ field, values }) => [field.name, values[choice[field.name] ?? stays]]),
  );
  return changedFields(before, after);
}
