// How fields and values of any record are put in words, whether or not its screen is at hand.
import type { Field } from '#/form/types';
import { day, MISSING, money, qty } from '#/ui/format';
import type { Change, Entry } from './api';

/** A field as far as words go: those of a form fit. */
export type Label = Field;

/** What every record carries and nobody changes by hand. */
const SILENT = new Set([
  'id',
  'revision',
  'createdAt',
  'createdBy',
  'updatedAt',
  'updatedBy',
  // Copies of what a reference is called.
  'inventoryAssetAccountNumber',
  'inventoryAssetAccountName',
  'expenseAccountNumber',
  'expenseAccountName',
]);

/** Members that hold ids, wherever they occur; so no trail shows bare ids. */
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

/** A reference of its own list: what lies above. */
const PARENTS: Readonly<Record<string, string>> = {
  category: 'categories',
  operationalArea: 'operational-areas',
  account: 'chart-of-accounts',
};

/** Texts that look like references of another kind. */
const NOT_REFERENCES = new Set([
  'posItem.category',
  'posItem.rootProductId',
  'rootItem.rootProductId',
]);

export type NameOf = (kind: string, id: unknown) => string | null;

/** Which names a field's ids have; null when it holds no id. */
export function referenceOf(field: string, label?: Label, kind = ''): string | null {
  if (label) return label.kind === 'ref' ? label.of : null;
  if (field === 'parentId') return PARENTS[kind] ?? null;
  if (NOT_REFERENCES.has(`${kind}.${field}`)) return null;
  return REFERENCES[field] ?? null;
}

/** `baseUomWeight` → «Base UOM weight». */
export function fieldWords(name: string): string {
  const words = name
    .replace(/Ids?$/, '')
    .replace(/([a-z0-9])([A-Z])/g, (_, a: string, b: string) => `${a} ${b.toLowerCase()}`)
    .replace(/\b(uoms?|pos|sku|tin|bir|url|id)\b/gi, (word) =>
      word.endsWith('s') && word.toLowerCase() === 'uoms' ? 'UOMs' : word.toUpperCase(),
    );
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** What is worth telling of an entry. Of a new record only what it has. */
export function told(entry: Pick<Entry, 'action' | 'changes'>): Change[] {
  return entry.changes.filter(
    ({ field, before, after }) =>
      !SILENT.has(field) &&
      !(entry.action === 'created' && (blank(after) || after === false)) &&
      !(entry.action === 'deleted' && (blank(before) || before === false)),
  );
}

export const blank = (value: unknown) =>
  value === null ||
  value === undefined ||
  value === '' ||
  (Array.isArray(value) && value.length === 0);

/** A value in one line. */
export function words(
  value: unknown,
  field: string,
  nameOf: NameOf,
  label?: Label,
  kind = '',
): string {
  if (blank(value)) return MISSING;
  const of = referenceOf(field, label, kind);
  if (of) return nameOf(of, value) || String(value);
  if (typeof value === 'boolean') return value ? 'Yes' : 'No';
  if (typeof value === 'number') return label?.kind === 'money' ? money(value) : qty(value);
  if (Array.isArray(value)) return value.map((item) => line(item, nameOf)).join(', ');
  if (typeof value === 'object') return line(value, nameOf);
  if (label && (label.kind === 'enum' || label.kind === 'choice' || label.kind === 'parent')) {
    return label.options.find((one) => one.value === value)?.label.trim() ?? String(value);
  }
  if (label?.kind === 'date' || /^\d{4}-\d\d-\d\d$/.test(String(value))) return day(String(value));
  return String(value);
}

/** A line of a list inside a record: «Rice × 2». */
export function line(item: unknown, nameOf: NameOf): string {
  if (item === null || typeof item !== 'object') return String(item);
  const parts = Object.entries(item)
    .filter(([, value]) => !blank(value) && value !== false)
    .map(([name, value]) => {
      if (value === true) return fieldWords(name).toLowerCase();
      const of = REFERENCES[name];
      if (of) return nameOf(of, value) || String(value);
      return typeof value === 'number' ? qty(value) : String(value);
    });
  return parts.join(' · ');
}

/** Which names the changes speak of. */
export function kindsIn(changes: readonly Change[], labels: readonly Label[], kind = ''): string[] {
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

/** Lines that came and lines that went; a line that stayed is not told. */
export function lineChanges(before: unknown, after: unknown): { gone: unknown[]; come: unknown[] } {
  const was = Array.isArray(before) ? before : [];
  const is = Array.isArray(after) ? after : [];
  const keys = (list: unknown[]) => new Set(list.map((item) => JSON.stringify(item)));
  const [old, now] = [keys(was), keys(is)];
  return {
    gone: was.filter((item) => !now.has(JSON.stringify(item))),
    come: is.filter((item) => !old.has(JSON.stringify(item))),
  };
}

/**
 * What going back to `entry` would change: everything the later entries touched, from what it is now
 * to what it was. `entries` come newest first and hold all that is later.
 */
export function wayBack(entries: readonly Entry[], entry: Entry): Change[] {
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
      !SILENT.has(field) && JSON.stringify(before ?? null) !== JSON.stringify(after ?? null),
  );
}
