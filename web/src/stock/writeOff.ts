// Writing off a recalled lot as waste, as much as is likely left in a store.
import type { AddedItem } from '#/documents/AddItem';
import { to } from '#/paths';
import type { Recall } from './api';

/** The permissions to write off a store's stock. */
export const WRITES_OFF = ['stores/storeTransactions', 'create'] as const;

/** A lot in an address. */
export interface LotAsked {
  product: string;
  lot: string;
}

export const askedOf = (search: URLSearchParams): LotAsked | null => {
  const [product, lot] = [search.get('product'), search.get('lot')];
  return product && lot ? { product, lot } : null;
};

/** Whether it can be written off: it is in a store, not in transit to one. */
export const liesThere = ({ placeKind, storeId, qty }: Recall) =>
  placeKind === 'store' && Boolean(storeId) && qty > 0;

/** The address of a recalled lot's new waste report; null unless the lot is in exactly one known store. */
export function writeOffAddress(stores: readonly Recall[]): string | null {
  const [one, ...others] = stores.filter(liesThere);
  if (!one?.storeId || others.length > 0) return null;
  const { storeId: store, productId: product, lot } = one;
  return to('storesWasteReport', { id: 'new' }, { store, product, lot });
}

/** The recall an address names, if the lot is still there. */
export const recallOf = (items: readonly Recall[] | undefined, asked: LotAsked) =>
  items?.find((one) => one.productId === asked.product && one.lot === asked.lot && liesThere(one));

/** A waste report line with what is likely left of the lot. */
export const itemOf = ({ productId, name, uomId, uomCode, qty }: Recall): AddedItem => ({
  productId,
  name,
  ...(uomId ? { uomId } : {}),
  unit: uomCode ?? '',
  qty,
});
