// What a store does with a recalled lot: it is written off as waste, as much as may lie there.
import type { AddedItem } from '#/documents/AddItem';
import { to } from '#/paths';
import type { Recall } from './api';

/** Who writes off what a store has. */
export const WRITES_OFF = ['stores/storeTransactions', 'create'] as const;

/** Names the lot in an address. */
export interface LotAsked {
  product: string;
  lot: string;
}

export const askedOf = (search: URLSearchParams): LotAsked | null => {
  const [product, lot] = [search.get('product'), search.get('lot')];
  return product && lot ? { product, lot } : null;
};

/** What can be written off: it lies in a store, not on its way to one. */
export const liesThere = ({ placeKind, storeId, qty }: Recall) =>
  placeKind === 'store' && Boolean(storeId) && qty > 0;

/** The new waste report of a recalled lot; none where it does not lie in one store that is known. */
export function writeOffAddress(stores: readonly Recall[]): string | null {
  const [one, ...others] = stores.filter(liesThere);
  if (!one?.storeId || others.length > 0) return null;
  const { storeId: store, productId: product, lot } = one;
  return to('storesWasteReport', { id: 'new' }, { store, product, lot });
}

/** The recall that an address names, if the lot still lies there. */
export const recallOf = (items: readonly Recall[] | undefined, asked: LotAsked) =>
  items?.find((one) => one.productId === asked.product && one.lot === asked.lot && liesThere(one));

/** A line of a waste report with everything that may lie there of the lot. */
export const itemOf = ({ productId, name, uomId, uomCode, qty }: Recall): AddedItem => ({
  productId,
  name,
  ...(uomId ? { uomId } : {}),
  unit: uomCode ?? '',
  qty,
});
