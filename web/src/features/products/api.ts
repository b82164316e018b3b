import { request } from '#/api/client';
import { queries } from '#/api/queries';
import type { Saved } from '#/form/useRecordForm';
import { listApi, listChanged } from '#/lists/api';
import type { Answer } from '#/table/sources';

export const TYPES = ['Inventory', 'Non-inventory', 'Service'] as const;

export interface OtherUom {
  uomId: string;
  /** Only ever handled in whole packs. */
  whole: boolean;
}

/** One `fromUomId` is `factor` of `toUomId`. */
export interface Conversion {
  fromUomId: string;
  toUomId: string;
  factor: number;
}

export interface Product extends Saved {
  sku?: string;
  name: string;
  category?: string;
  type: (typeof TYPES)[number];
  productType?: string;
  foodType?: string;
  baseUom?: string;
  baseUomWeight?: number;
  baseUomVolume?: number;
  defaultSellingUom?: string;
  otherUoms: OtherUom[];
  conversions: Conversion[];
  rootItemConversions: { rootItemId: string; factor: number }[];
  priceLevelPrices: { priceLevelId: string; price: number }[];
  storageRequirement?: string;
  shelfLife?: number;
  description?: string;
  quantity: number;
  reorderPoint?: number;
  inactive: boolean;
  imageUrl?: string;
  inventoryAssetAccountId?: string;
  inventoryAssetAccountNumber?: string;
  inventoryAssetAccountName?: string;
  expenseAccountId?: string;
  expenseAccountNumber?: string;
  expenseAccountName?: string;
  createdAt: string;
  updatedAt: string;
}

/** A place's share of a product's stock. */
export interface PlaceStock {
  placeKind: string;
  placeId: string;
  placeName: string;
  qty: number;
  lastMovedAt: string | null;
}

export interface Movement {
  seq: number;
  postedAt: string;
  businessDate: string;
  placeKind: string;
  placeId: string;
  placeName: string;
  qty: number;
  balanceAfter: number;
  documentType: string;
  documentId: string;
  reason: string | null;
  by: { uid: string; name: string; email: string } | string | null;
}

export interface Uses {
  total: number;
  uses: {
    kind: string;
    label: string;
    count: number;
    records?: { id: string; name: string }[];
  }[];
}

export interface Adjustment {
  quantity: number;
  revision?: number;
  placeKind?: string;
  placeId?: string;
  reason?: string;
}

export const PRODUCTS = '/api/products';
export const SLUG = 'products';
/** Every question about products begins with this. */
export const KEY = ['lists', SLUG] as const;

const at = (id: string) => `${PRODUCTS}/${encodeURIComponent(id)}`;

export const productsApi = {
  ...listApi<Product>(PRODUCTS),
  adjust: (id: string, adjustment: Adjustment) =>
    request<{ product: Product; movement: Movement | null }>('POST', `${at(id)}/adjust`, {
      json: adjustment,
    }),
  stock: (id: string, signal?: AbortSignal) =>
    request<{ quantity: number; places: PlaceStock[] }>('GET', `${at(id)}/stock`, { signal }),
  movements: (
    id: string,
    query: Record<string, string | number | undefined>,
    signal?: AbortSignal,
  ) => request<Answer<Movement>>('GET', `${at(id)}/movements`, { query, signal }),
  uses: (id: string, signal?: AbortSignal) => request<Uses>('GET', `${at(id)}/uses`, { signal }),
  removePicture: (id: string) => request<Product>('DELETE', `${at(id)}/picture`),
  pictureHref: (id: string) => `${at(id)}/picture`,
};

/** What is on every screen is asked for again. */
export function productsChanged(): void {
  listChanged(SLUG);
}

/** A product is gone: whatever was known of it is forgotten, so that nobody asks for it again. */
export function forget(id: string): void {
  queries.removeQueries({
    predicate: ({ queryKey }) => queryKey[1] === SLUG && queryKey.includes(id),
  });
}

/** Puts a product that the server has just answered into every list and page that shows it. */
export function show(product: Product): void {
  patchRows(product.id, () => product);
  queries.setQueryData([...KEY, 'one', product.id], product);
}

/** Changes a product wherever it is shown, before or after the server agrees. */
export function patchRows(id: string, change: (row: Product) => Product): void {
  queries.setQueryData<Product>([...KEY, 'one', id], (one) => one && change(one));
  queries.setQueriesData<Answer<Product>>({ queryKey: [...KEY, 'page'] }, (answer) =>
    answer?.items.some((row) => row.id === id)
      ? { ...answer, items: answer.items.map((row) => (row.id === id ? change(row) : row)) }
      : answer,
  );
}

/** The product as the screens have it now. */
export function shown(id: string): Product | undefined {
  const one = queries.getQueryData<Product>([...KEY, 'one', id]);
  const pages = queries.getQueriesData<Answer<Product>>({ queryKey: [...KEY, 'page'] });
  const rows = pages.flatMap(([, answer]) => answer?.items.filter((row) => row.id === id) ?? []);
  return [...rows, ...(one ? [one] : [])].sort((a, b) => b.revision - a.revision)[0];
}
