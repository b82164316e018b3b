// Names of places and documents of stock movements.
import { documentType } from '#/documents/registry';
import type { PlaceKind, PlaceStock } from './api';

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

export function placeName({ placeKind, placeName: name }: Omit<PlaceStock, 'qty' | 'lastMovedAt'>) {
  return name || placeKindName(placeKind);
}

/** «stockAdjustment» → «Stock adjustment». */
export function documentName(type: string): string {
  const words = type.replace(/([a-z])([A-Z])/g, '$1 $2').toLowerCase();
  return documentType(type)?.word ?? words.charAt(0).toUpperCase() + words.slice(1);
}
