// A store's products, searchable offline.
import { request } from '#/api/client';
import type { components } from '#/api/schema.gen';
import { can, type Me, useMe } from '#/api/session';
import { useKept } from './data';

type GuideItem = components['schemas']['GuideItem'];

export interface Unit {
  /** Null for the product's own unit, if the user may not see it. */
  uomId: string | null;
  code: string;
  /** Whether quantities are whole numbers, as the server says; older devices do not know. */
  whole?: boolean;
}

export interface Product {
  id: string;
  name: string;
  sku: string | null;
  units: Unit[];
}

export interface Products {
  items: Product[];
}

async function askGuide(storeId: string, signal?: AbortSignal): Promise<GuideItem[]> {
  const query = { storeId };
  const { items } = await request('GET', '/api/stores/orders/guide', { query, signal });
  return items;
}

/** Users who order see units; for others the server uses the product's own. */
export async function askProducts(
  me: Me,
  storeId: string,
  signal?: AbortSignal,
): Promise<Products> {
  const [names, guide] = await Promise.all([
    request('GET', '/api/names/{kind}', { path: { kind: 'products' }, signal }),
    can(me, 'stores/storeOrders') ? askGuide(storeId, signal) : [],
  ]);
  const known = new Set(guide.map(({ productId }) => productId));
  const others = names.filter(({ id }) => !known.has(id));
  const items = [
    ...guide.map(({ productId, name, sku, units }) => ({
      id: productId,
      name,
      sku: sku ?? null,
      units: units.map(({ uomId, code, whole }) => ({ uomId, code, whole })),
    })),
    ...others.map(({ id, name, code }) => ({
      id,
      name,
      sku: code ?? null,
      units: [{ uomId: null, code: '' }],
    })),
  ];
  return { items: items.sort((a, b) => a.name.localeCompare(b.name)) };
}

export const productsName = (storeId: string) => ['products', storeId];

export function useProducts(storeId: string) {
  const me = useMe();
  return useKept({
    name: productsName(storeId),
    ask: (signal) => askProducts(me, storeId, signal),
    enabled: storeId !== '',
  });
}

/** Products whose name or code contains every word; those that begin with it first. */
export function findProducts(items: readonly Product[], wanted: string, most = 30): Product[] {
  const words = wanted.trim().toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return [];
  const found = items.filter(({ name, sku }) => {
    const text = `${name} ${sku ?? ''}`.toLowerCase();
    return words.every((word) => text.includes(word));
  });
  const [first = ''] = words;
  const begins = ({ name }: Product) => Number(!name.toLowerCase().startsWith(first));
  return found.sort((a, b) => begins(a) - begins(b)).slice(0, most);
}
