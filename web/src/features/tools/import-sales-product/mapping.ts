import type { Field, Layout, Mapping } from './types';

/** What a column can mean, in the order people look for it. */
export const FIELDS: readonly { value: Field; label: string }[] = [
  { value: 'date', label: 'Date' },
  { value: 'time', label: 'Time' },
  { value: 'store', label: 'Store' },
  { value: 'terminal', label: 'Terminal' },
  { value: 'receipt', label: 'Receipt number' },
  { value: 'item', label: 'Item' },
  { value: 'itemName', label: 'Item name (when Item is a code)' },
  { value: 'quantity', label: 'Quantity' },
  { value: 'unitPrice', label: 'Price' },
  { value: 'discount', label: 'Discount' },
  { value: 'net', label: 'Net amount' },
  { value: 'kind', label: 'Kind (sale, return, void)' },
  { value: 'serviceType', label: 'Service type' },
  { value: 'category', label: 'Category' },
];

/** How the file will be read unless someone says otherwise. */
export function proposed(layout: Layout, remembered: Mapping | null | undefined): Mapping {
  if (remembered) return remembered;
  const columns: Mapping['columns'] = {};
  for (const { index, suggested } of layout.columns) {
    if (suggested && columns[suggested] === undefined) columns[suggested] = index;
  }
  const dates = layout.dateFormats.find(({ columns: at }) => at.includes(columns.date ?? -1));
  return {
    hasHeader: layout.hasHeader,
    sheet: layout.sheet,
    columns,
    dateFormat: (dates ?? layout.dateFormats[0])?.format ?? 'ymd',
    decimal: layout.decimal ?? '.',
    store: null,
    priceMeans: 'unit',
    source: 'file',
  };
}

export function fieldAt(mapping: Mapping, index: number): Field | null {
  const found = Object.entries(mapping.columns).find(([, at]) => at === index);
  return (found?.[0] as Field | undefined) ?? null;
}

/** A column means one thing, and a meaning has one column. */
export function assign(mapping: Mapping, index: number, field: Field | null): Mapping {
  const columns: Mapping['columns'] = {};
  for (const [name, at] of Object.entries(mapping.columns)) {
    if (at !== index && name !== field) columns[name as Field] = at;
  }
  if (field) columns[field] = index;
  return { ...mapping, columns, store: columns.store === undefined ? mapping.store : null };
}

/** What keeps the file from being read; empty when it can be. */
export function missing(mapping: Mapping): string[] {
  const words: string[] = [];
  if (mapping.columns.date === undefined) words.push('Choose the column that holds the date.');
  if (mapping.columns.item === undefined) words.push('Choose the column that holds the item.');
  if (mapping.columns.store === undefined && !mapping.store) {
    words.push('Choose the column that holds the store, or the one store the file belongs to.');
  }
  return words;
}
