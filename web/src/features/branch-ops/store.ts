import { createContext, useContext } from 'react';
import type { Name } from '#/api/names';

export interface OpenStore {
  store: Name;
  stores: readonly Name[];
  choose(id: string): void;
}

export const StoreContext = createContext<OpenStore | null>(null);

/** The app's open store. */
export function useOpenStore(): OpenStore {
  const open = useContext(StoreContext);
  if (!open) throw new Error('this screen needs a store');
  return open;
}

export function storeLabel({ name, code }: Name): string {
  return code && code !== name ? `${name} (${code})` : name;
}
