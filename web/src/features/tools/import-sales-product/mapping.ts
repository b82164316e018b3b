import { meaningOf, suggestedColumns, withMeaning } from '#/imports/mapping';
import { isDay } from '#/ui/dates';
import type { Field, Layout, Mapping } from './types';

/** A column's possible meanings, most common first. */
export const FIELDS: readonly { value: Field; label: string }[] = [
  { value: 'date', label: 'Date' },
  { value: 'time', label: 'Time' },
  { value: 'store', label: 'Store' },
  { value: 'storeCode', label: 'Store code' },
  { value: 'terminal', label: 'Terminal' },
  { value: 'receipt', label: 'Receipt number' },
  { value: 'item', label: 'Item or its code' },
  { value: 'itemName', label: 'Item name' },
  { value: 'variant', label: 'Variant' },
  { value: 'modifiers', label: 'Modifiers' },
  { value: 'quantity', label: 'Quantity' },
  { value: 'unitPrice', label: 'Price' },
  { value: 'discount', label: 'Discount' },
  { value: 'net', label: 'Net amount' },
  { value: 'kind', label: 'Sale, return or void' },
  { value: 'lineId', label: 'Line id' },
  { value: 'parentLine', label: 'Belongs to line' },
  { value: 'serviceType', label: 'Service type' },
  { value: 'category', label: 'Category' },
  { value: 'channel', label: 'Sales channel' },
  { value: 'pax', label: 'Guests' },
  { value: 'senior', label: 'Senior discount' },
  { value: 'pwd', label: 'PWD discount' },
  { value: 'naac', label: 'Athlete discount (NAAC)' },
  { value: 'soloParent', label: 'Solo parent discount' },
  { value: 'valor', label: 'Medal of Valor discount' },
  { value: 'employee', label: 'Employee discount' },
  { value: 'vip', label: 'VIP discount' },
  { value: 'promo', label: 'Promo discount' },
  { value: 'otherDiscount', label: 'Other discount' },
  { value: 'vatable', label: 'VATable sales' },
  { value: 'vat', label: 'VAT' },
  { value: 'exempt', label: 'VAT-exempt sales' },
  { value: 'zeroRated', label: 'Zero-rated sales' },
  { value: 'serviceCharge', label: 'Service charge' },
  { value: 'localTax', label: 'Local tax' },
  { value: 'tender', label: 'Paid by' },
  { value: 'tenderAmount', label: 'Amount paid' },
  { value: 'tenderReference', label: 'Payment reference' },
];

/** The name of a further status column among the meanings of columns. */
export const STATUS = 'status';
export type Meaning = Field | typeof STATUS;

const GROUPS: readonly { group: string; from: Field; to: Field }[] = [
  { group: 'The sale', from: 'date', to: 'category' },
  { group: 'The receipt', from: 'channel', to: 'pax' },
  { group: 'Discounts by law and by house', from: 'senior', to: 'otherDiscount' },
  { group: 'Tax and charges', from: 'vatable', to: 'localTax' },
  { group: 'Payment', from: 'tender', to: 'tenderReference' },
];

/** The same in groups, for the select. A file may have several status columns. */
export const FIELD_GROUPS = GROUPS.map(({ group, from, to }) => {
  const at = (field: Field) => FIELDS.findIndex(({ value }) => value === field);
  const items: { value: Meaning; label: string }[] = FIELDS.slice(at(from), at(to) + 1);
  const kind = items.findIndex(({ value }) => value === 'kind');
  if (kind >= 0) items.splice(kind + 1, 0, { value: STATUS, label: 'Status' });
  return { group, items };
});

/** The default mapping. */
export function proposed(layout: Layout, remembered: Mapping | null | undefined): Mapping {
  if (remembered) {
    // The day is of one file: it is never remembered from another one.
    const day = remembered.day ?? layout.suggestion?.day;
    return remembered.columns.date === undefined && day ? { ...remembered, day } : remembered;
  }
  if (layout.suggestion) {
    const { columns, ...rest } = layout.suggestion as unknown as Mapping;
    return { ...rest, columns, store: rest.store ?? null, products: null };
  }
  const columns = suggestedColumns<Field>(layout.columns);
  const dates = layout.dateFormats.find(({ columns: at }) => at.includes(columns.date ?? -1));
  return {
    hasHeader: layout.hasHeader,
    sheet: layout.sheet,
    columns,
    dateFormat: (dates ?? layout.dateFormats[0])?.format ?? 'ymd',
    decimal: layout.decimal ?? '.',
    store: null,
    priceMeans: 'unit',
    eachRowIsOne: false,
    products: null,
    source: 'file',
  };
}

type DateReading = Layout['dateFormats'][number];

/** How the dates of the mapped column were read; of any column before one is mapped. */
export function dateReading(layout: Layout, mapping: Mapping): DateReading | undefined {
  const column = mapping.columns.date;
  const found = layout.dateFormats.find(
    ({ columns }) => column !== undefined && columns.includes(column),
  );
  return found ?? layout.dateFormats[0];
}

/** Where the file itself names the store that the mapping has; null if it was chosen otherwise. */
export function storeSource(layout: Layout, mapping: Mapping): string | null {
  const proposal = layout.suggestion?.store?.fixed;
  return proposal && mapping.store?.fixed === proposal ? (layout.storeFrom ?? null) : null;
}

/** The mapping for another sheet. A store that this one named is not that of the other. */
export function onSheet(layout: Layout, mapping: Mapping, sheet: string | null): Mapping {
  const store = storeSource(layout, mapping) ? null : mapping.store;
  return { ...mapping, sheet: sheet ?? undefined, store };
}

type Column = Layout['columns'][number];

/** A column's letter in a spreadsheet: 0 is A, 26 is AA. */
export function letterOf(index: number): string {
  const last = String.fromCharCode(65 + (index % 26));
  return index < 26 ? last : letterOf(Math.floor(index / 26) - 1) + last;
}

/** A column's name on screen; `among` are the file's columns, to tell apart two with the same heading. */
export function nameOf(
  { header, index }: Column,
  hasHeader = true,
  among: readonly Column[] = [],
): string {
  if (!hasHeader || !header) return `Column ${index + 1}`;
  const same = (other: Column) =>
    other.index !== index && other.header?.trim().toLowerCase() === header.trim().toLowerCase();
  return among.some(same) ? `${header.trim()} (${letterOf(index)})` : header;
}

/** Unmapped numeric columns that may be the quantity. */
export function maybeQuantity(layout: Layout, mapping: Mapping): Column[] {
  if (mapping.columns.quantity !== undefined || mapping.products?.length) return [];
  return layout.columns.filter(
    (column) => column.mayBeQuantity && fieldAt(mapping, column.index) === null,
  );
}

/** Fields that a file with one column per product implies, without a column of their own. */
const SAID_BY_PRODUCTS: readonly Field[] = [
  'item',
  'itemName',
  'quantity',
  'unitPrice',
  'discount',
  'net',
  'category',
];

/** Treats all of the detected columns as products, or none. */
export function asProducts(layout: Layout, mapping: Mapping, yes: boolean): Mapping {
  if (!yes) return { ...mapping, products: [] };
  const found = new Set(layout.productColumns);
  const columns: Mapping['columns'] = {};
  for (const [name, at] of Object.entries(mapping.columns) as [Field, number][]) {
    if (!found.has(at) && !SAID_BY_PRODUCTS.includes(name)) columns[name] = at;
  }
  const products = layout.columns
    .filter(({ index }) => found.has(index))
    .map((column) => ({ column: column.index, name: nameOf(column, true, layout.columns) }));
  return { ...mapping, columns, products };
}

export interface Unfolded {
  date: string;
  store: string;
  item: string;
  quantity: string;
}

/** The first lines of an unpivoted file. */
export function unfolded(layout: Layout, mapping: Mapping, most = 6): Unfolded[] {
  const at = (row: readonly string[], column: number | undefined) =>
    column === undefined ? '' : (row[column] ?? '');
  const products = mapping.products ?? asProducts(layout, mapping, true).products ?? [];
  return (layout.firstRows ?? [])
    .flatMap((row) =>
      products
        .map(({ column, name }) => ({
          date: at(row, mapping.columns.date),
          store: at(row, mapping.columns.store),
          item: name,
          quantity: at(row, column),
        }))
        .filter(({ quantity }) => quantity.trim() !== '' && Number(quantity) !== 0),
    )
    .slice(0, most);
}

export function fieldAt(mapping: Mapping, index: number): Field | null {
  return meaningOf(mapping.columns, index);
}

/** A column's meaning on screen. */
export function meaningAt(mapping: Mapping, index: number): Meaning | null {
  return fieldAt(mapping, index) ?? (mapping.statuses?.includes(index) ? STATUS : null);
}

/** Maps a column to a meaning: fields one to one, status columns as many as there are. */
export function assign(mapping: Mapping, index: number, meaning: Meaning | null): Mapping {
  const field = meaning === STATUS ? null : meaning;
  const columns = withMeaning(mapping.columns, index, field);
  const others = mapping.statuses?.filter((at) => at !== index);
  return {
    ...mapping,
    tenders: mapping.tenders?.filter(({ column }) => column !== index),
    statuses: meaning === STATUS ? [...(others ?? []), index].sort((a, b) => a - b) : others,
    columns,
    day: columns.date === undefined ? mapping.day : null,
    store: columns.store === undefined ? mapping.store : null,
  };
}

/** Why the file cannot be read yet; empty when it can. Open questions do not prevent it. */
export function missing(mapping: Mapping, layout?: Layout): string[] {
  const words: string[] = [];
  if (layout?.productColumns?.length && !mapping.products) {
    words.push('Say whether each product has a column of its own.');
  } else if (layout && !mapping.eachRowIsOne && maybeQuantity(layout, mapping).length > 0) {
    words.push('Choose the quantity column, or say that each row counts as one.');
  }
  if (mapping.columns.date === undefined && !isDay(mapping.day)) {
    words.push('Choose the column that holds the date, or one day for the whole file.');
  }
  const product = mapping.products?.length || (layout?.productColumns?.length && !mapping.products);
  if (mapping.columns.parentLine !== undefined && mapping.columns.lineId === undefined) {
    words.push(
      'Choose the column that holds the ids of lines, by which a line says which it belongs to.',
    );
  }
  if (mapping.columns.item === undefined && !product)
    words.push('Choose the column that holds the item.');
  if (mapping.columns.store === undefined && !mapping.store) {
    words.push('Choose the column that holds the store, or the one store the file belongs to.');
  }
  return words;
}
