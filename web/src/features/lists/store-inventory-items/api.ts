import { useQuery } from '@tanstack/react-query';
import { request } from '#/api/client';
import { queries } from '#/api/queries';
import type { components } from '#/api/schema.gen';
import { listApi } from '#/lists/api';

export type StoreInventoryItem = components['schemas']['StoreInventoryItem'];

const ROOT = '/api/lists/store-inventory-items';

export const KEY = ['lists', 'store-inventory-items'] as const;

type Schemas = components['schemas'];
export type Visibility = Schemas['StoreVisibility'];
export type VisibilityRow = Schemas['StoreVisibilityRow'];
export type Group = Schemas['VisibilityGroup'];
export type Mix = Schemas['ItemMix'];

export interface Split {
  recipeId: string;
  percent: number;
}

const items = listApi<StoreInventoryItem>(ROOT);

export const storeItemsApi = {
  visibility: (storeId: string, signal?: AbortSignal) =>
    request('GET', `${ROOT}/visibility/{storeId}`, { path: { storeId }, signal }),
  saveVisibility: (storeId: string, choice: Schemas['PutVisibility']) =>
    request('PUT', `${ROOT}/visibility/{storeId}`, { path: { storeId }, json: choice }),
  copyVisibility: (storeId: string, from: Schemas['CopyVisibility']) =>
    request('POST', `${ROOT}/visibility/{storeId}/copy`, { path: { storeId }, json: from }),
  makeGroup: (group: Schemas['PutVisibilityGroup']) =>
    request('POST', `${ROOT}/groups`, { json: group }),
  saveGroup: (id: string, change: Schemas['PutVisibilityGroup']) =>
    request('PATCH', `${ROOT}/groups/{id}`, { path: { id }, json: change }),
  removeGroup: (id: string) => request('DELETE', `${ROOT}/groups/{id}`, { path: { id } }),
  saveMix: (storeId: string, itemId: string, splits: readonly Split[]) =>
    request('PUT', `${ROOT}/mixes/{id}`, {
      path: { id: `${storeId}_${itemId}` },
      json: { splits },
    }),
  saveMixes: (storeIds: readonly string[], itemId: string, splits: readonly Split[]) =>
    request('POST', `${ROOT}/mixes/bulk`, { json: { storeIds, itemId, splits } }),
};

/** Every item in production, in the sheet's order. */
export function useItems() {
  return useQuery({
    queryKey: [...KEY, 'all', 'sheet'],
    queryFn: async ({ signal }) =>
      (await items.all({}, signal)).items.toSorted(
        (a, b) =>
          (a.storageArea ?? '').localeCompare(b.storageArea ?? '') ||
          (a.sortOrder ?? 1e9) - (b.sortOrder ?? 1e9) ||
          a.name.localeCompare(b.name),
      ),
  });
}

export function useGroups() {
  return useQuery({
    queryKey: [...KEY, 'groups'],
    queryFn: ({ signal }) => request('GET', `${ROOT}/groups`, { signal }),
  });
}

/** Every store the user may see, with its group and number of items. */
export function useVisibilities() {
  return useQuery({
    queryKey: [...KEY, 'visibility'],
    queryFn: ({ signal }) => request('GET', `${ROOT}/visibility`, { signal }),
  });
}

export function useMixes(storeId: string) {
  return useQuery({
    queryKey: [...KEY, 'mixes', storeId],
    queryFn: async ({ signal }) =>
      (await request('GET', `${ROOT}/mixes`, { query: { storeId }, signal })).items,
    enabled: storeId !== '',
  });
}

export function storeItemsChanged(): void {
  void queries.invalidateQueries({ queryKey: KEY });
}
