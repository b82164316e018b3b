// Texts for fields and values of any record, with or without its form's fields.
import type { Field } from '#/form/types';
import { day, inFull, MISSING, money } from '#/ui/format';
import type { Change, Entry } from './api';

/** The part of a form field that texts need. */
export type Label = Field;

/** Technical fields, which no history shows. */
const HIDDEN_FIELDS = new Set([
  'id',
  'revision',
  'createdAt',
  'createdBy',
  'updatedAt',
  'updatedBy',
  // Beside the lines, by their ids; the step has the reason.
  'overrides',
  // Copies of a reference's name.
  'inventoryAssetAccountNumber',
  'inventoryAssetAccountName',
  'expenseAccountNumber',
  'expenseAccountName',
]);

/** Fields that hold ids, with the kind whose names replace them. */
const REFERENCES: Readonly<Record<string, string>> = {
  baseUom: 'uoms',
  category: 'categories',
  companyId: 'companies',
  defaultSellingUom: 'uoms',
  expenseAccountId: 'chart-of-accounts',
  foodType: 'food-types',
  fromUomId: 'uoms',
  inventoryAssetAccountId: 'chart-of-accounts',
  operationalAreaId: 'operational-areas',
  priceLevelId: 'price-levels',
  productId: 'products',
  productType: 'product-types',
  regionalAreaId: 'regional-areas',
  rootItemId: 'root-items',
  rootProductId: 'root-items',
  storageRequirement: 'storage-requirements',
  storeFormatId: 'store-formats',
  storeId: 'stores',
  toUomId: 'uoms',
  uomId: 'uoms',
  yieldUomId: 'uoms',
};

/** References to a parent in the same list. */
const PARENTS: Readonly<Record<string, string>> = {
  category: 'categories',
  operationalArea: 'operational-areas',
  account: 'chart-of-accounts',
};

/** Texts whose names look like references. */
const NOT_REFERENCES = new Set([
  'posItem.category',
  'posItem.rootProductId',
  'rootItem.rootProductId',
]);

export type NameOf = (kind: string, id: unknown) => string | null;

/** The kind of record a field refers to; null if it is not a reference. */
export function referenceOf(field: string, label?: Label, kind = ''): string | null {
  if (label) return label.kind === 'ref' ? label.of : null;
  if (field === 'parentId') return PARENTS[kind] ?? null;
  if (NOT_REFERENCES.has(`${kind}.${field}`)) return null;
  return REFERENCES[field] ?? null;
}

/** `baseUomWeight` → «Base UOM weight». */
export function fieldLabel(name: string): string {
  const text = name
    .replace(/Ids?$/, '')
    .replace(/([a-z0-9])([A-Z])/g, (_, a: string, b: string) => `${a} ${b.toLowerCase()}`)
    .replace(/\b(uoms?|pos|sku|tin|bir|url|id)\b/gi, (word) =>
      word.endsWith('s') && word.toLowerCase() === 'uoms' ? 'UOMs' : word.toUpperCase(),
    );
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** The changes to show: no technical fields, and of new or deleted records no empty ones. */
export function shownChanges(entry: Pick<Entry, 'action' | 'changes'>): Change[] {
  return entry.changes.filter(
    ({ field, before, after }) =>
      !HIDDEN_FIELDS.has(field) &&
      !(entry.action === 'created' && (isBlank(after) || after === false)) &&
      !(entry.action === 'deleted' && (isBlank(before) || before === false)),
  );
}

export const isBlank = (value: unknown) =>
  value === null ||
  value === undefined ||
  value === '' ||
  (Array.isArray(value) && value.length === 0);

/** A value in one line. */
export function valueText(
  value: unknown,
  field: string,
  nameOf: NameOf,
  label?: Label,
  kind = '',
): string {
  if (isBlank(value)) return MISSING;
  const of = referenceOf(field, label, kind);
  if (of) return nameOf(of, value) || String(value);
  if (typeof value === 'boolean') return value ? 'Yes' : 'No';
  if (typeof value === 'number') return label?.kind === 'money' ? money(value) : inFull(value);
  if (Array.isArray(value)) return value.map((item) => lineText(item, nameOf)).join(', ');
  if (typeof value === 'object') return lineText(value, nameOf);
  if (label && (label.kind === 'enum' || label.kind === 'choice' || label.kind === 'parent')) {
    return label.options.find((one) => one.value === value)?.label.trim() ?? String(value);
  }
  if (label?.kind === 'date' || /^\d{4}-\d\d-\d\d$/.test(String(value))) return day(String(value));
  return String(value);
}

/** A line of a list inside a record: «Rice × 2». */
export function lineText(item: unknown, nameOf: NameOf): string {
  if (item === null || typeof item !== 'object') return String(item);
  const parts = Object.entries(item)
    .filter(([, value]) => !isBlank(value) && value !== false)
    .map(([name, value]) => {
      if (value === true) return fieldLabel(name).toLowerCase();
      const of = REFERENCES[name];
      if (of) return nameOf(of, value) || String(value);
      return typeof value === 'number' ? inFull(value) : String(value);
    });
  return parts.join(' · ');
}

/** The kinds of records whose names are needed to show the changes. */
export function referencedKinds(
  changes: readonly Change[],
  labels: readonly Label[],
  kind = '',
): string[] {
  const kinds = new Set<string>();
  for (const { field, before, after } of changes) {
    const of = referenceOf(
      field,
      labels.find(({ name }) => name === field),
      kind,
    );
    if (of) kinds.add(of);
    for (const value of [before, after]) {
      if (!Array.isArray(value)) continue;
      for (const item of value) {
        if (item === null || typeof item !== 'object') continue;
        for (const member of Object.keys(item)) {
          if (REFERENCES[member]) kinds.add(REFERENCES[member]);
        }
      }
    }
  }
  return [...kinds].sort();
}

/** Added and removed lines of a list inside a record. */
export function lineChanges(
  before: unknown,
  after: unknown,
): { removed: unknown[]; added: unknown[] } {
  const was = Array.isArray(before) ? before : [];
  const is = Array.isArray(after) ? after : [];
  const keys = (list: unknown[]) => new Set(list.map((item) => JSON.stringify(item)));
  const [old, now] = [keys(was), keys(is)];
  return {
    removed: was.filter((item) => !now.has(JSON.stringify(item))),
    added: is.filter((item) => !old.has(JSON.stringify(item))),
  };
}

/**
 * The changes of restoring the record as it was after `entry`: every field that later entries changed, from its present
 * to its former value. `entries` come newest first and include all later ones.
 */
export function changesToRestore(entries: readonly Entry[], entry: Entry): Change[] {
  const changed = new Map<string, Change>();
  for (const later of entries) {
    if (later.seq <= entry.seq) break;
    for (const { field, before, after } of later.changes) {
      const known = changed.get(field);
      if (known) known.after = before;
      else changed.set(field, { field, before: after, after: before });
    }
  }
  return [...changed.values()].filter(
    ({ field, before, after }) =>
      !HIDDEN_FIELDS.has(field) && JSON.stringify(before ?? null) !== JSON.stringify(after ?? null),
  );
}
