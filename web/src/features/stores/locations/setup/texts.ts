import type { PageKey } from '#/paths';
import type { SetupItem, SetupKey, StoreWork } from './api';

export const DONE = 'Done';

/** Where something is set. */
export type Goal =
  | {
      page: Extract<PageKey, 'lists' | 'products' | 'listStoreInventoryItems' | 'users'>;
      /** Filtered by the store. */
      ofStore?: true;
    }
  | { field: string }
  | { section: 'store-deliveries' | 'store-opening-days' };

const TEXTS: Readonly<Record<SetupKey, { label: string; goal: Goal }>> = {
  priceLevel: { label: 'Price level', goal: { field: 'priceLevelId' } },
  source: { label: 'A kitchen, warehouse or supplier to order from', goal: { page: 'lists' } },
  deliveryDays: { label: 'Delivery days', goal: { section: 'store-deliveries' } },
  products: { label: 'Products to order', goal: { page: 'products' } },
  items: { label: 'Items to count', goal: { page: 'listStoreInventoryItems' } },
  openingDays: { label: 'Opening days', goal: { section: 'store-opening-days' } },
  tills: { label: 'Tills', goal: { field: 'posTerminals' } },
  people: { label: 'People who work here', goal: { page: 'users', ofStore: true } },
};

/** A line of the list. */
export interface Line {
  key: SetupKey;
  done: boolean;
  label: string;
  /** Why it is needed. */
  note: string;
  goal: Goal;
}

/** Every line, as long as something is missing that the store cannot work without; null after that. */
export function lines(items: readonly SetupItem[]): Line[] | null {
  if (items.every(({ done, neededFor }) => done || neededFor.length === 0)) return null;
  return items.map(({ key, done, neededFor }) => ({
    key,
    done,
    note: noteOf(key, neededFor),
    ...TEXTS[key],
  }));
}

function noteOf(key: SetupKey, neededFor: readonly StoreWork[]): string {
  if (key === 'openingDays') return 'Open every day until you say otherwise';
  return neededFor.length > 0 ? `Needed to ${neededFor.join(' and to ')}` : '';
}
