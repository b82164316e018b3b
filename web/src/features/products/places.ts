// Names of places and documents of stock movements.
import { documentType } from '#/documents/registry';
import type { PlaceKind, PlaceStock, ProductStock } from './api';

const KINDS: Record<PlaceKind, string> = {
  store: 'Store',
  commissary: 'Commissary',
  warehouse: 'Warehouse',
  coldStorage: 'Cold storage',
  inTransit: 'In transit',
};

export const placeKindName = (placeKind: PlaceKind): string => KINDS[placeKind];

/** Stock in stores and in transit is not part of a product's quantity. */
export const countsToQuantity = (placeKind: PlaceKind): boolean =>
  placeKind === 'commissary' || placeKind === 'warehouse' || placeKind === 'coldStorage';

/** Stock at a place. That of a store is known by its counts. */
export interface Held {
  placeKind: PlaceKind;
  placeId: string;
  placeName: string;
  qty: number | null;
  /** When it was counted or moved last. */
  at: string | null;
  basis: string;
}

function basisOf({ qty, exact, shared }: ProductStock['stores'][number]): string {
  if (typeof qty !== 'number') return 'Never counted';
  if (shared) return 'Counted with other products of its root item';
  return exact ? 'Counted' : 'Counted, rounded';
}

/** The places of a product: those that keep a balance, then the stores. */
export function placesOf(stock: ProductStock | undefined): Held[] {
  const places = stock?.places ?? [];
  const stores = stock?.stores ?? [];
  return [
    ...places.map(({ lastMovedAt, ...place }) => ({ ...place, at: lastMovedAt, basis: 'Balance' })),
    ...stores.map((store) => ({
      placeKind: 'store' as const,
      placeId: store.storeId,
      placeName: store.storeName,
      qty: store.qty ?? null,
      at: store.countedAt ?? null,
      basis: basisOf(store),
    })),
  ];
}

export function placeName({
  placeKind,
  placeName: name,
}: Pick<PlaceStock, 'placeKind' | 'placeName'>) {
  return name || placeKindName(placeKind);
}

/** «stockAdjustment» → «Stock adjustment». */
export function documentName(type: string): string {
  const words = type.replace(/([a-z])([A-Z])/g, '$1 $2').toLowerCase();
  return documentType(type)?.word ?? words.charAt(0).toUpperCase() + words.slice(1);
}
