// Replays: estimate, result, and applying a policy to planning.
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { request } from '#/api/client';
import { queries } from '#/api/queries';
import type { components } from '#/api/schema.gen';
import type { Ask, Run } from '../api';

type Schemas = components['schemas'];
export type Estimate = Schemas['ReplayEstimate'];
export type Policy = Schemas['ReplayedPolicy'] & {
  /** Days on which a store orders, summed over stores. */
  orderDays?: number;
  /** It beside what was really ordered, as a sentence. */
  compared?: string | null;
};
export type Result = Omit<Schemas['ReplayResult'], 'policies'> & {
  policies: Policy[];
  /** Days with known sales, summed over items of stores. */
  itemDays?: number;
  /** The policy that did best, and what was left out and why. */
  conclusion?: string | null;
};
export type InStore = Schemas['ReplayedStore'];
export type Path = Schemas['ReplayPath'];
export type Rule = Schemas['PlanRule'];
type RuleDraft = Schemas['PlanRuleDraft'];

/** The page whose permissions the planning settings need. */
export const PLAN = 'dashboard/drpNew';

const KEY = ['services', 'replay'] as const;
/** Plans and their settings; live events refresh queries below this key. */
const PLANS = ['dashboard', 'drp-new'] as const;

/** A replay's estimated duration; `ask` is null if invalid. */
export const useEstimate = (ask: Ask | null) =>
  useQuery({
    queryKey: [...KEY, 'estimate', ask],
    queryFn: ({ signal }) =>
      request('POST', '/api/tools/services/replay/estimate', {
        json: ask as Schemas['ServiceAsk'],
        signal,
      }),
    enabled: ask !== null,
    placeholderData: ask ? keepPreviousData : undefined,
    retry: false,
  });

const at = (id: string) => ({ path: { id } });

/** A run's result; while running, of the finished stores. */
export const useResult = (run: Run | undefined) =>
  useQuery({
    queryKey: [...KEY, 'result', run?.id, run?.state, run?.done],
    queryFn: ({ signal }) =>
      request('GET', '/api/tools/services/replay/runs/{id}/result', {
        ...at(run?.id ?? ''),
        signal,
      }),
    enabled: Boolean(run?.startedAt),
    placeholderData: (before, last) => (last?.queryKey[3] === run?.id ? before : undefined),
  });

/** One root item's days in one store, by policy. */
export const usePath = (runId: string, storeId: string, rootItemId: string) =>
  useQuery({
    queryKey: [...KEY, 'path', runId, storeId, rootItemId],
    queryFn: ({ signal }) =>
      request('GET', '/api/tools/services/replay/runs/{id}/path', {
        ...at(runId),
        query: { storeId, rootItemId },
        signal,
      }),
    placeholderData: keepPreviousData,
    enabled: storeId !== '' && rootItemId !== '',
  });

const settings = (signal?: AbortSignal) =>
  request('GET', '/api/dashboard/drp-new/settings', { query: {}, signal });

/** The current planning rules, if the user may see them. */
export const usePlanRules = (enabled: boolean) =>
  useQuery({
    queryKey: [...PLANS, '/settings', 'rules'],
    queryFn: async ({ signal }) => (await settings(signal)).rules,
    enabled,
  });

/** The rule of a whole store, or of all stores. */
export const ruleAt = (rules: readonly Rule[], storeId: string | null): Rule | undefined =>
  rules.find((rule) => (rule.storeId ?? null) === storeId && !rule.categoryId && !rule.productId);

/** Undoes a choice. */
export type Undo = () => Promise<void>;

/** Applies a policy to some stores, or to all (`null`); returns the undo function. */
export async function choosePolicy(
  runId: string,
  policy: number,
  targets: readonly (string | null)[],
): Promise<Undo> {
  const { rules: before } = await settings();
  const done: { id: string; revision: number; was: Rule | undefined }[] = [];
  const undo = async () => {
    try {
      for (const { id, revision, was } of done) {
        if (was) await restore(was, revision);
        else await request('DELETE', '/api/dashboard/drp-new/settings/{id}', at(id));
      }
    } finally {
      await changed();
    }
  };
  try {
    for (const storeId of targets) {
      const { id, revision } = await request(
        'POST',
        '/api/tools/services/replay/runs/{id}/choose',
        { ...at(runId), json: { policy, storeId } },
      );
      done.push({ id, revision, was: ruleAt(before, storeId) });
    }
  } catch (error) {
    // All of them, or none.
    await undo();
    throw error;
  } finally {
    await changed();
  }
  return undo;
}

const changed = () => queries.invalidateQueries({ queryKey: PLANS });

function restore(was: Rule, revision: number) {
  const draft: RuleDraft = {
    storeId: was.storeId ?? null,
    categoryId: was.categoryId ?? null,
    productId: was.productId ?? null,
    serviceLevel: was.serviceLevel ?? null,
    min: was.min ?? null,
    max: was.max ?? null,
    reviewDays: was.reviewDays ?? null,
    leadDays: was.leadDays ?? null,
    shelfLifeDays: was.shelfLifeDays ?? null,
    method: was.method ?? null,
    priority: was.priority ?? null,
    percent: was.percent ?? null,
    revision,
  };
  return request('PUT', '/api/dashboard/drp-new/settings', { json: draft });
}
