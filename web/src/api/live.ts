import type { QueryKey } from '@tanstack/react-query';
import { useEffect } from 'react';
import { queries } from './queries';

export interface LiveEvent {
  kind: string;
  id: string;
  storeId?: string | null;
  action: string;
}

const LISTS: Record<string, string> = {
  uom: 'uoms',
  category: 'categories',
  foodType: 'food-types',
  productType: 'product-types',
  storageRequirement: 'storage-requirements',
  priceLevel: 'price-levels',
  storeFormat: 'store-formats',
  regionalArea: 'regional-areas',
  operationalArea: 'operational-areas',
  rootItem: 'root-items',
  posItem: 'pos-items',
};

/** What a change made by anyone makes stale on this screen. */
export function staleKeys(event: LiveEvent): QueryKey[] {
  const slug = LISTS[event.kind];
  if (slug)
    return [
      ['lists', slug],
      ['lists', 'hub'],
      ['names', slug],
    ];
  if (event.kind === 'location') return [['stores'], ['names', 'stores']];
  if (/sales|batch|import/i.test(event.kind)) return [['import-sales'], ['reports']];
  if (event.kind === 'job') return [['jobs', event.id]];
  return [];
}

/** Keeps open screens current: the server names what changed, the screen asks for it again. */
export function useLive(): void {
  useEffect(() => {
    const source = new EventSource('/api/live');
    const waiting = new Map<string, QueryKey>();
    let timer: ReturnType<typeof setTimeout> | undefined;

    // An import changes thousands of rows at once; one refetch a moment later is enough.
    const flush = () => {
      timer = undefined;
      for (const queryKey of waiting.values()) void queries.invalidateQueries({ queryKey });
      waiting.clear();
    };
    const changed = (message: MessageEvent<string>) => {
      let event: LiveEvent;
      try {
        event = JSON.parse(message.data) as LiveEvent;
      } catch {
        return;
      }
      // Events may have been missed: everything on screen is asked for again.
      const keys = event.kind === '*' ? [[]] : staleKeys(event);
      for (const key of keys) waiting.set(JSON.stringify(key), key);
      if (waiting.size) timer ??= setTimeout(flush, 150);
    };
    // What this user may do has changed, so every open screen may have.
    const rights = () => void queries.invalidateQueries();

    source.addEventListener('message', changed);
    source.addEventListener('rights', rights);
    return () => {
      clearTimeout(timer);
      source.close();
    };
  }, []);
}
