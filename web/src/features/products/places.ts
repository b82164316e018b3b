// Words for where stock lies and what moved it.
import type { PlaceKind, PlaceStock } from './api';

const KINDS: Record<PlaceKind, string> = {
  store: 'Store',
  commissary: 'Commissary',
  warehouse: 'Warehouse',
  coldStorage: 'Cold storage',
  inTransit: 'In transit',
};

export const kindOf = (placeKind: PlaceKind): string => KINDS[placeKind];

/** Stores and what is on its way are stock, but not part of a product's quantity. */
export const counts = (placeKind: PlaceKind): boolean =>
  placeKind === 'commissary' || placeKind === 'warehouse' || placeKind === 'coldStorage';

export function placeName({ placeKind, placeName: name }: Omit<PlaceStock, 'qty' | 'lastMovedAt'>) {
  return name || kindOf(placeKind);
}

const DOCUMENTS: Record<string, string> = {
  adjustment: 'Adjustment',
  delivery: 'Delivery',
  receipt: 'Receipt',
  production: 'Production',
  transfer: 'Transfer',
  waste: 'Waste',
};

/** «stockAdjustment» → «Stock adjustment». */
export function documentName(type: string): string {
  const words = type.replace(/([a-z])([A-Z])/g, '$1 $2').toLowerCase();
  return DOCUMENTS[type] ?? words.charAt(0).toUpperCase() + words.slice(1);
}
