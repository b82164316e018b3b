import { keepPreviousData, queryOptions, useQueries, useQuery } from '@tanstack/react-query';
import { request, requestAt } from '#/api/client';
import { queries } from '#/api/queries';
import { busiest } from './kitchenFigures';
import type { Heat, Kitchen, PhasedGrid, Plan, Rule, Settings, StorePlans } from './wire';

/** The page whose permissions apply. */
export const PAGE = 'dashboard/drpNew';

/** The key of all queries of this page. */
export const KEY = ['dashboard', 'drp-new'] as const;

const BASE = '/api/dashboard/drp-new';

type Asked = Record<string, string | null>;

const planQuery = <T>(path: string, query: Asked, enabled = true) =>
  queryOptions({
    queryKey: [...KEY, path, query],
    queryFn: ({ signal }) => requestAt<T>('GET', BASE + path, { query, signal }),
    enabled,
  });

/** The figures of one place or product do not stay under the name of the next while that loads. */
const SUBJECTS = ['storeId', 'commissaryId', 'productId'] as const;

function usePlanQuery<T>(path: string, query: Asked, enabled = true) {
  return useQuery({
    ...planQuery<T>(path, query, enabled),
    placeholderData: (before, of) => {
      const last = of?.queryKey.at(-1) as Asked | undefined;
      return SUBJECTS.every((id) => last?.[id] === query[id]) ? before : undefined;
    },
  });
}

/** A store's suggested orders. */
export const usePlan = (storeId: string, planRunId: string, enabled = true) =>
  usePlanQuery<Plan>('', { storeId, planRunId: planRunId || null }, enabled && storeId !== '');

/** Every store's plan in figures. */
export const useStorePlans = (planRunId: string) =>
  usePlanQuery<StorePlans>('/stores', { planRunId: planRunId || null });

/** A store's projected stock by day. */
export const useHeat = (storeId: string) =>
  usePlanQuery<Heat>('/heat', { storeId }, storeId !== '');

/** A product by day: in a store, or in the commissary above all stores. */
export const usePhased = (productId: string, place: { storeId?: string; commissaryId?: string }) =>
  usePlanQuery<PhasedGrid>(
    '/grid',
    { productId, storeId: place.storeId || null, commissaryId: place.commissaryId || null },
    productId !== '' && Boolean(place.storeId || place.commissaryId),
  );

/** What the kitchen has to make for it, and what to buy. */
export const useKitchenPlan = (commissaryId: string) =>
  usePlanQuery<Kitchen>('/kitchen', { commissaryId }, commissaryId !== '');

/** The kitchen with the most to do, once all are known; null until then. */
export const useBusiestKitchen = (ids: readonly string[], enabled: boolean): string | null =>
  useQueries({
    queries: ids.map((commissaryId) => planQuery<Kitchen>('/kitchen', { commissaryId }, enabled)),
    combine: (plans) =>
      !enabled || plans.some(({ isPending }) => isPending)
        ? null
        : busiest(ids.map((id, i) => ({ id, plan: plans[i]?.data }))),
  });

/** The rules, and the effective settings of a store and a product. */
export const useSettings = (storeId: string, productId: string) =>
  useQuery({
    ...planQuery<Settings>('/settings', { storeId: storeId || null, productId: productId || null }),
    placeholderData: keepPreviousData,
  });

export const makeOrders = (
  json: { planRunId: string; lines?: { lineId: string }[]; storeIds?: string[] },
  retryKey: string,
) => request('POST', `${BASE}/orders`, { json, retryKey });

export const saveRule = (rule: Omit<Rule, 'id' | 'revision'> & { revision: number | null }) =>
  request('PUT', `${BASE}/settings`, { json: rule });

export const deleteRule = (id: string) =>
  request('DELETE', `${BASE}/settings/{id}`, { path: { id } });

/** Runs the plan again; continues when the page is left. */
export const planNow = () =>
  request('POST', '/api/tools/services/{service}/runs', {
    path: { service: 'replenishment-plan' },
    json: {},
  });

export const planChanged = () => queries.invalidateQueries({ queryKey: KEY });
