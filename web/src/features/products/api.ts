import { request } from '#/api/client';
import { queries } from '#/api/queries';
import type { components, operations } from '#/api/schema.gen';
import { invalidateList, listApi } from '#/lists/api';
import type { Answer } from '#/table/sources';

type Schemas = components['schemas'];
/** The declared fields only, without custom ones, so that field names are checked. */
type Declared<T> = {
  [K in keyof T as string extends K ? never : number extends K ? never : K]: T[K];
};

/** A code on a product's pack, and the unit that it is printed on. */
export interface Barcode {
  id?: string | null;
  code: string;
  uomId: string;
}

export type Product = Declared<Schemas['Product']>;
export type PlaceStock = Schemas['PlaceStock'];
export type ProductStock = Schemas['ProductStock'];
export type PlaceKind = Schemas['PlaceKind'];
export type Movement = Schemas['StockMovement'];
export type Uses = Schemas['RecordUses'];

type MovementsQuery = operations['list_product_movements']['parameters']['query'];

export const TYPES: readonly Product['type'][] = ['Inventory', 'Non-inventory', 'Service'];

export const PRODUCTS = '/api/products';
export const SLUG = 'products';
/** The prefix of all query keys about products. */
export const KEY = ['lists', SLUG] as const;

const at = (id: string) => `${PRODUCTS}/${encodeURIComponent(id)}`;

/** The address of a product's picture; null for foreign ones, which the content security policy blocks. */
export function pictureOf(imageUrl: string | undefined, size: 'thumb' | 'full'): string | null {
  return imageUrl?.startsWith(`${PRODUCTS}/`) ? `${imageUrl}&size=${size}` : null;
}

const of = (id: string) => ({ path: { id } });

export const productsApi = {
  ...listApi<Product>(PRODUCTS),
  adjust: (id: string, adjustment: Schemas['AdjustProduct']) =>
    request('POST', '/api/products/{id}/adjust', { ...of(id), json: adjustment }) as Promise<{
      product: Product;
    }>,
  stock: (id: string, signal?: AbortSignal) =>
    request('GET', '/api/products/{id}/stock', { ...of(id), signal }),
  movements: (id: string, query: MovementsQuery, signal?: AbortSignal) =>
    request('GET', '/api/products/{id}/movements', { ...of(id), query, signal }),
  /** Newest first. */
  prices: (id: string, signal?: AbortSignal) =>
    request('GET', '/api/products/{id}/prices', { ...of(id), signal }),
  usedBy: (id: string, signal?: AbortSignal) =>
    request('GET', '/api/products/{id}/uses', { ...of(id), signal }),
  removePicture: (id: string) =>
    request('DELETE', '/api/products/{id}/picture', of(id)) as Promise<Product>,
  pictureHref: (id: string) => `${at(id)}/picture`,
};

/** Refetches everything on screen that shows products. */
export function productsChanged(): void {
  invalidateList(SLUG);
}

/** Removes a deleted product's queries, so that they are not refetched. */
export function dropFromCache(id: string): void {
  queries.removeQueries({
    predicate: ({ queryKey }) => queryKey[1] === SLUG && queryKey.includes(id),
  });
}

/** Puts a product from a response into every cached list and page. */
export function updateCache(product: Product): void {
  patchRows(product.id, () => product);
  queries.setQueryData([...KEY, 'one', product.id], product);
}

/** Changes a product in every cached list and page. */
export function patchRows(id: string, change: (row: Product) => Product): void {
  queries.setQueryData<Product>([...KEY, 'one', id], (one) => one && change(one));
  queries.setQueriesData<Answer<Product>>({ queryKey: [...KEY, 'page'] }, (answer) =>
    answer?.items.some((row) => row.id === id)
      ? { ...answer, items: answer.items.map((row) => (row.id === id ? change(row) : row)) }
      : answer,
  );
}

export function cachedProduct(id: string): Product | undefined {
  const one = queries.getQueryData<Product>([...KEY, 'one', id]);
  const pages = queries.getQueriesData<Answer<Product>>({ queryKey: [...KEY, 'page'] });
  const rows = pages.flatMap(([, answer]) => answer?.items.filter((row) => row.id === id) ?? []);
  return [...rows, ...(one ? [one] : [])].sort((a, b) => b.revision - a.revision)[0];
}
