// Converts between records and form values, where numbers are text while being typed.
import {
  faultOf,
  isUndecided,
  kindOfUnit,
  type NumberKind,
  numberOf,
  showNumber,
} from '#/ui/numberInput';
import { webLink } from '#/ui/webLink';
import type { Field, FormValue, FormValues, SubColumn, SubRow, Wire } from './types';

type NumberField = Field & { kind: 'decimal' | 'money' | 'integer' };

/** How a field's number is parsed. */
export function readsAs({ reads, kind, unit }: NumberField): NumberKind {
  if (reads) return reads;
  if (kind === 'money') return 'money';
  if (kind === 'integer') return 'whole';
  return unit === '%' ? 'percent' : kindOfUnit(unit);
}

export const columnReadsAs = ({ reads }: SubColumn): NumberKind => reads ?? 'divisible';

const numberText = (value: unknown, as: NumberKind) =>
  typeof value === 'number' ? showNumber(value, as) : toText(value);

function toText(value: unknown): string {
  return value === null || value === undefined ? '' : String(value);
}

function read(field: Field, value: unknown): FormValue {
  switch (field.kind) {
    case 'boolean':
      if (value !== undefined && value !== null) return value === true;
      return typeof field.initial === 'function' ? null : (field.initial ?? false);
    case 'enum':
    case 'choice':
      return value ? String(value) : (field.initial ?? null);
    case 'date':
    case 'ref':
    case 'parent':
      return value ? String(value) : null;
    case 'refs':
      return ((value ?? []) as string[]).join(',');
    case 'table':
      return ((value ?? []) as Wire[]).map((row) => {
        const texts: SubRow = {};
        for (const column of field.columns) {
          const { name, kind } = column;
          if (kind === 'ref') texts[name] = toText(row[name]) || null;
          else if (kind === 'decimal') texts[name] = numberText(row[name], columnReadsAs(column));
          else texts[name] = toText(row[name]);
        }
        return texts;
      });
    case 'integer':
    case 'decimal':
    case 'money':
      return numberText(value ?? field.blank, readsAs(field));
    case 'text':
    case 'long':
      return toText(value ?? field.initial);
    default:
      return toText(value);
  }
}

export function fromRecord(fields: readonly Field[], record: object | null): FormValues {
  const from = record as Wire | null;
  return Object.fromEntries(fields.map((field) => [field.name, read(field, from?.[field.name])]));
}

const blankRow = (row: SubRow) => Object.values(row).every((value) => !value?.trim());

/** The ids of a field that names several records, which is text while it is edited. */
export const idsOf = (value: FormValue | undefined): string[] =>
  typeof value === 'string' ? value.split(',').filter(Boolean) : [];

/** Whether a switch is on: as the user set it, else as other fields decide. */
export function isOn({ name, initial }: Field & { kind: 'boolean' }, values: FormValues): boolean {
  const value = values[name];
  return value == null && typeof initial === 'function' ? initial(values) : value === true;
}

function write(field: Field, values: FormValues): unknown {
  const value = values[field.name];
  switch (field.kind) {
    case 'boolean':
      return isOn(field, values);
    case 'integer':
    case 'decimal':
    case 'money':
      return numberOf(String(value ?? ''), readsAs(field)) ?? field.blank ?? null;
    case 'refs':
      return idsOf(value).length > 0 ? idsOf(value) : null;
    case 'table':
      return ((value ?? []) as SubRow[])
        .filter((row) => !blankRow(row))
        .map((row) =>
          Object.fromEntries(
            field.columns.map((column) => {
              const text = (row[column.name] ?? '').trim();
              const as = columnReadsAs(column);
              return [column.name, column.kind === 'decimal' ? numberOf(text, as) : text];
            }),
          ),
        );
    case 'text':
    case 'long':
      if (typeof value !== 'string' || !value.trim()) return null;
      // A form may be saved by keyboard from within the field.
      return field.tidy?.(value) ?? value.trim();
    default:
      return typeof value === 'string' && value.trim() ? value.trim() : null;
  }
}

export function toWire(fields: readonly Field[], values: FormValues): Wire {
  return Object.fromEntries(fields.map((field) => [field.name, write(field, values)]));
}

/** The fields that differ. */
export function changedFields(before: Wire, after: Wire): Wire {
  return Object.fromEntries(
    Object.entries(after).filter(
      ([name, value]) => JSON.stringify(value) !== JSON.stringify(before[name]),
    ),
  );
}

/** Error messages by field; empty when all are valid. */
export function validate(fields: readonly Field[], values: FormValues): Record<string, string> {
  const wrong: Record<string, string> = {};
  for (const field of fields) {
    const value = values[field.name];
    const text = typeof value === 'string' ? value.trim() : '';
    const name = field.label.toLowerCase();
    if (field.locked) continue;
    const required = field.required || field.requiredWhen?.(values);
    if (required && field.kind !== 'boolean' && field.kind !== 'table' && !text) {
      wrong[field.name] = /^(ref|enum|choice|date|parent)$/.test(field.kind)
        ? `Choose ${article(name)}.`
        : `Enter ${article(name)}.`;
      continue;
    }
    if (field.kind === 'decimal' || field.kind === 'money' || field.kind === 'integer') {
      if (!text) continue;
      const as = readsAs(field);
      const number = numberOf(text, as);
      if (isUndecided(text, as)) wrong[field.name] = faultOf(text, as, field.unit) ?? '';
      else if (number === null) wrong[field.name] = 'Enter a number, such as 12.5.';
      else if (field.kind === 'integer' && !Number.isInteger(number))
        wrong[field.name] = 'Enter a whole number.';
      else if (!field.signed && number < (field.min ?? 0))
        wrong[field.name] = `Enter ${field.min ?? 0} or more.`;
    }
    if ('max' in field && field.max && text.length > field.max) {
      wrong[field.name] = `Use at most ${field.max} characters.`;
    }
    if (field.kind === 'email' && text && !isEmail(text)) {
      wrong[field.name] = 'Enter an email address, such as ana@company.ph.';
    }
    if (field.kind === 'web' && text && !webLink(text)) {
      wrong[field.name] = 'Enter a web address that begins with https://.';
    }
    if (field.kind === 'enum' && field.optionsFor && text) {
      const known = field.optionsFor(values).some((option) => option.value === text);
      if (!known) wrong[field.name] = `Choose ${article(name)}.`;
    }
    if (field.kind === 'table') checkRows(field, (value ?? []) as SubRow[], wrong);
  }
  return wrong;
}

function checkRows(
  field: Field & { kind: 'table' },
  rows: readonly SubRow[],
  wrong: Record<string, string>,
): void {
  rows.forEach((row, i) => {
    if (blankRow(row)) return;
    for (const column of field.columns) {
      const { name, label, kind } = column;
      const text = (row[name] ?? '').trim();
      const path = `${field.name}.${i}.${name}`;
      if (kind === 'ref' && !text) wrong[path] = `Choose ${article(label.toLowerCase())}.`;
      if (kind === 'decimal') {
        const as = columnReadsAs(column);
        const number = numberOf(text, as);
        if (isUndecided(text, as)) wrong[path] = faultOf(text, as) ?? '';
        else if (number === null || number <= 0) wrong[path] = 'Enter a number above zero.';
      }
    }
  });
}

const isEmail = (text: string) => /^[^\s@]+@[^\s@]+\.[^\s@.]+$/.test(text);

function article(name: string): string {
  return `${/^[aeio]/.test(name) ? 'an' : 'a'} ${name}`;
}

export interface Difference {
  field: Field;
  mine: unknown;
  theirs: unknown;
  /** Who changed it; the user decides fields both changed. */
  by: 'me' | 'them' | 'both';
}

/**
 * Merges two versions: what only one side changed is taken without asking, what both changed
 * differently is a conflict.
 */
export function merge(
  fields: readonly Field[],
  base: Wire,
  mine: Wire,
  theirs: Wire,
): { merged: Wire; differences: Difference[]; conflicts: Difference[] } {
  const same = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b);
  const merged: Wire = {};
  const differences: Difference[] = [];
  for (const field of fields) {
    const [was, my, their] = [base[field.name], mine[field.name], theirs[field.name]];
    const changed = !same(was, my);
    merged[field.name] = changed ? my : their;
    if (same(my, their)) continue;
    const by = !changed ? 'them' : same(was, their) ? 'me' : 'both';
    differences.push({ field, mine: my, theirs: their, by });
  }
  return { merged, differences, conflicts: differences.filter(({ by }) => by === 'both') };
}
