import { api, body } from '#/api/client';
import { queries } from '#/api/queries';
import type { components, operations } from '#/api/schema.gen';
import { listApi, listChanged } from '#/lists/api';
import type { Answer } from '#/table/sources';

type Schemas = components['schemas'];
/** Without the custom fields that any record may have, so that the names of its own are checked. */
type Declared<T> = {
  [K in keyof T as string extends K ? never : number extends K ? never : K]: T[K];
};

export type Product = Declared<Schemas['Product']>;
export type PlaceStock = Schemas['PlaceStock'];
export type PlaceKind = Schemas['PlaceKind'];
export type Movement = Schemas['StockMovement'];
export type Uses = Schemas['RecordUses'];
type MovementsQuery = operations['list_product_movements']['parameters']['query'];

export const TYPES: readonly Product['type'][] = ['Inventory', 'Non-inventory', 'Service'];

export const PRODUCTS = '/api/products';
export const SLUG = 'products';
/** Every question about products begins with this. */
export const KEY = ['lists', SLUG] as const;

const at = (id: string) => `${PRODUCTS}/${encodeURIComponent(id)}`;

/** Where a product's picture is shown from. Pages load none from elsewhere, so other addresses give none. */
export function pictureOf(imageUrl: string | undefined, size: 'thumb' | 'full'): string | null {
  return imageUrl?.startsWith(`${PRODUCTS}/`) ? `${imageUrl}&size=${size}` : null;
}

const of = (id: string) => ({ path: { id } });

export const productsApi = {
  ...listApi<Product>(PRODUCTS),
  adjust: (id: string, adjustment: Schemas['AdjustProduct']) =>
    body(api.POST('/api/products/{id}/adjust', { params: of(id), body: adjustment })),
  stock: (id: string, signal?: AbortSignal) =>
    body(api.GET('/api/products/{id}/stock', { params: of(id), signal })),
  movements: (id: string, query: MovementsQuery, signal?: AbortSignal) =>
    body(api.GET('/api/products/{id}/movements', { params: { ...of(id), query }, signal })),
  usedBy: (id: string, signal?: AbortSignal) =>
    body(api.GET('/api/products/{id}/uses', { params: of(id), signal })),
  removePicture: (id: string) =>
    body(api.DELETE('/api/products/{id}/picture', { params: of(id) })) as Promise<Product>,
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
