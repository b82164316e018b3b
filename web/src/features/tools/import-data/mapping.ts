// The mapping of a file: proposals, the effects of a choice, and what is still missing.
import { meaningOf, suggestedColumns, withMeaning } from '#/imports/mapping';
import type { ImportField, ImportList, Layout, Mapping, Match } from './types';

/** What lists call a record's code field. */
const CODES = ['sku', 'number', 'posItemId', 'rootProductId', 'code'] as const;
const NAMES = ['name', 'description', 'rootItemId'] as const;
const PATH = 'fullName';

const NUMBERS = new Set<ImportField['kind']>(['quantity', 'money', 'factor']);

/** The fields that identify records. */
export function keysOf(list: ImportList): { code: ImportField | null; name: ImportField | null } {
  const first = (names: readonly string[]) =>
    names.flatMap((name) => list.fields.find((field) => field.name === name) ?? [])[0] ?? null;
  return { code: first(CODES), name: first(NAMES) };
}

/** The fields that can match rows to records, with the columns chosen so far; the most reliable first. */
export function matchable(list: ImportList, columns: Mapping['columns']): Match[] {
  const { code, name } = keysOf(list);
  const has = (field: string | undefined) => field !== undefined && columns[field] !== undefined;
  const ways: Match[] = [];
  if (has('id')) ways.push('id');
  if (has(code?.name)) ways.push('code');
  if (has(name?.name) || has(PATH)) ways.push('name');
  return ways;
}

/** The default mapping. */
export function proposed(
  layout: Layout,
  list: ImportList,
  earlier: Mapping | null | undefined,
): Mapping {
  // Another sheet's columns do not apply to this one.
  if (earlier && (earlier.sheet ?? layout.sheet) === layout.sheet && fits(layout, list, earlier)) {
    return { ...earlier, missing: earlier.missing ?? 'ignore' };
  }
  const columns = suggestedColumns(layout.columns) as Mapping['columns'];
  return {
    hasHeader: layout.hasHeader,
    sheet: layout.sheet,
    columns,
    match: matchable(list, columns)[0] ?? 'name',
    decimal: layout.decimal,
    dateFormat: layout.dateFormat,
    missing: 'ignore',
  };
}

/** An earlier mapping may name fields or columns that no longer exist. */
function fits(layout: Layout, list: ImportList, { columns }: Mapping): boolean {
  const known = new Set(list.fields.map(({ name }) => name));
  const entries = Object.entries(columns);
  return entries.every(([name, at]) => known.has(name) && at < layout.columns.length);
}

export function fieldAt(mapping: Mapping, index: number): string | null {
  return meaningOf(mapping.columns, index);
}

/** Maps a column to a field, one to one. */
export function assign(
  list: ImportList,
  mapping: Mapping,
  index: number,
  field: string | null,
): Mapping {
  const columns = withMeaning(mapping.columns, index, field) as Mapping['columns'];
  const ways = matchable(list, columns);
  const match = ways.includes(mapping.match) ? mapping.match : (ways[0] ?? mapping.match);
  return { ...mapping, columns, match };
}

/** The fields with a column. */
export function mapped(list: ImportList, { columns }: Mapping): ImportField[] {
  return list.fields.filter(({ name }) => columns[name] !== undefined);
}

export interface Writing {
  numbers: boolean;
  dates: boolean;
  references: readonly ImportField[];
}

/** Which format questions matter for the chosen columns. */
export function writing(list: ImportList, mapping: Mapping): Writing {
  const fields = mapped(list, mapping);
  return {
    numbers: fields.some(({ kind }) => NUMBERS.has(kind)),
    dates: fields.some(({ kind }) => kind === 'date'),
    references: fields.filter(({ kind }) => kind === 'reference'),
  };
}

/** Why the file cannot be read yet; empty when it can. */
export function missing(list: ImportList, mapping: Mapping): string[] {
  if (Object.keys(mapping.columns).length === 0) {
    return ['Choose what at least one column means.'];
  }
  if (matchable(list, mapping.columns).length > 0) return [];
  const { code, name } = keysOf(list);
  const ways = [name, code].flatMap((field) => (field ? [field.label] : []));
  return [`Choose a column for ${ways.join(' or ')}: records are told apart by it.`];
}

/** What new records would lack. */
export function lacking(list: ImportList, mapping: Mapping): ImportField[] {
  return list.fields.filter(
    ({ name, required }) =>
      required &&
      mapping.columns[name] === undefined &&
      !(name === keysOf(list).name?.name && mapping.columns[PATH] !== undefined),
  );
}
