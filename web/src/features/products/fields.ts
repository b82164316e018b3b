import type { Field, FormValues, SubRow, Wire } from '#/form/types';
import type { Saved } from '#/form/useRecordForm';
import { numberOf, showNumber } from '#/ui/numberInput';
import { type Product, TYPES } from './api';
import { FACTOR_PLACES, formatFixed } from './units';

type Name = keyof Product;

export const SECTIONS = [
  'Basics',
  'Units',
  'Barcodes',
  'Root items',
  'Prices',
  'Stock and accounts',
  'Picture',
] as const;
export type Section = (typeof SECTIONS)[number];

/** The fields of a product's form by section; the tables of units and prices have components of their own. */
export const fields: readonly Field<Name>[] = [
  { section: 'Basics', kind: 'text', name: 'name', label: 'Name', required: true, wide: true },
  { kind: 'text', name: 'sku', label: 'SKU', max: 100 },
  {
    kind: 'enum',
    name: 'type',
    label: 'Type',
    required: true,
    options: TYPES.map((type) => ({ value: type, label: type })),
  },
  { kind: 'ref', name: 'category', label: 'Category', of: 'categories' },
  { kind: 'ref', name: 'productType', label: 'Product type', of: 'product-types' },
  { kind: 'ref', name: 'foodType', label: 'Food type', of: 'food-types' },
  {
    kind: 'ref',
    name: 'storageRequirement',
    label: 'Storage requirement',
    of: 'storage-requirements',
  },
  { kind: 'long', name: 'description', label: 'Description' },

  {
    section: 'Units',
    kind: 'ref',
    name: 'baseUom',
    label: 'Base unit',
    of: 'uoms',
    hint: 'Stock is counted in this unit.',
    requiredWhen: ({ type }) => type === 'Inventory',
  },
  {
    kind: 'ref',
    name: 'defaultSellingUom',
    label: 'Selling unit',
    of: 'uoms',
    hint: 'Orders start with this unit, and prices are for one of it.',
  },
  { kind: 'decimal', name: 'baseUomWeight', label: 'Weight of a base unit', unit: 'kg' },
  { kind: 'decimal', name: 'baseUomVolume', label: 'Volume of a base unit', unit: 'm³' },
  {
    kind: 'table',
    name: 'otherUoms',
    label: 'Other units',
    addLabel: 'Add unit',
    columns: [
      { name: 'uomId', label: 'Unit', kind: 'ref', of: 'uoms' },
      { name: 'whole', label: 'Whole packs only', kind: 'text' },
    ],
  },
  {
    kind: 'table',
    name: 'conversions',
    label: 'Conversions',
    addLabel: 'Add conversion',
    columns: [
      { name: 'fromUomId', label: 'Unit', kind: 'ref', of: 'uoms' },
      { name: 'factor', label: 'Factor', kind: 'decimal', reads: 'factor' },
      { name: 'toUomId', label: 'Unit', kind: 'ref', of: 'uoms' },
    ],
  },

  {
    section: 'Barcodes',
    kind: 'table',
    name: 'barcodes',
    label: 'Barcodes',
    addLabel: 'Add barcode',
    columns: [
      { name: 'code', label: 'Barcode', kind: 'text' },
      { name: 'uomId', label: 'Unit', kind: 'ref', of: 'uoms' },
    ],
  },

  {
    section: 'Root items',
    kind: 'table',
    name: 'rootItemConversions',
    label: 'Root items',
    addLabel: 'Add root item',
    hint: 'How much of each root item is in one base unit. Usage and forecasts count in root items.',
    empty: 'No root items yet. Until there are some, this product is not part of any forecast.',
    columns: [
      { name: 'rootItemId', label: 'Root item', kind: 'ref', of: 'root-items' },
      { name: 'factor', label: 'In one base unit', kind: 'decimal', reads: 'factor', width: 150 },
    ],
  },

  {
    section: 'Prices',
    kind: 'table',
    name: 'priceLevelPrices',
    label: 'Prices',
    addLabel: 'Add price',
    columns: [
      { name: 'priceLevelId', label: 'Price level', kind: 'ref', of: 'price-levels' },
      { name: 'price', label: 'Price', kind: 'text' },
    ],
  },

  {
    section: 'Stock and accounts',
    kind: 'decimal',
    name: 'reorderPoint',
    label: 'Reorder point',
  },
  { kind: 'integer', name: 'shelfLife', label: 'Shelf life', unit: 'days' },
  {
    kind: 'ref',
    name: 'inventoryAssetAccountId',
    label: 'Inventory asset account',
    of: 'chart-of-accounts',
  },
  { kind: 'ref', name: 'expenseAccountId', label: 'Expense account', of: 'chart-of-accounts' },
  {
    kind: 'boolean',
    name: 'inactive',
    label: 'Inactive',
    hint: 'Inactive products are left out of lists and choices.',
    wide: true,
  },
];

/** A product in the form's shape, with numbers in tables as text. */
export type FormProduct = Saved & Wire;

const plain = (factor: number) => formatFixed(BigInt(Math.round(factor * 1e9)), FACTOR_PLACES);

export function toForm(product: Product): FormProduct {
  return {
    ...product,
    otherUoms: product.otherUoms.map(({ uomId, whole }) => ({ uomId, whole: whole ? 'yes' : '' })),
    priceLevelPrices: product.priceLevelPrices.map((line) => ({
      ...line,
      price: showNumber(line.price, 'money'),
    })),
    conversions: product.conversions.map((line) => ({ ...line, factor: plain(line.factor) })),
    rootItemConversions: product.rootItemConversions.map((line) => ({
      ...line,
      factor: plain(line.factor),
    })),
  };
}

/** A new product: type «Inventory», no revision. */
export const NEW = { id: '', type: 'Inventory' } as Wire as FormProduct;

/** Changed form values in the server's shape. */
export function toServer(changed: Wire): Wire {
  const wire = { ...changed };
  const rows = (name: string) => wire[name] as SubRow[] | undefined;
  if (rows('otherUoms')) {
    wire.otherUoms = rows('otherUoms')?.map(({ uomId, whole }) => ({
      uomId,
      whole: whole === 'yes',
    }));
  }
  if (rows('priceLevelPrices')) {
    wire.priceLevelPrices = rows('priceLevelPrices')?.map(({ priceLevelId, price }) => ({
      priceLevelId,
      price: numberOf(price ?? '', 'money'),
    }));
  }
  return wire;
}

/** Errors of invalid prices by row. */
export function checkPrices(values: FormValues): Record<string, string> {
  const wrong: Record<string, string> = {};
  ((values.priceLevelPrices ?? []) as SubRow[]).forEach(({ price }, i) => {
    const text = price?.trim() ?? '';
    if (!text) return;
    const number = numberOf(text, 'money');
    if (number === null) wrong[`priceLevelPrices.${i}.price`] = 'Enter a price, such as 12.50.';
    else if (number < 0) wrong[`priceLevelPrices.${i}.price`] = 'Enter 0 or more.';
  });
  return wrong;
}
