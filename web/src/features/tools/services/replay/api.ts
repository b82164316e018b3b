// Replays: how long one would take, what it came to, and how a policy becomes the setting that plans go by.
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { api, body } from '#/api/client';
import { queries } from '#/api/queries';
import type { components } from '#/api/schema.gen';
import type { Ask, Run } from '../api';

type Schemas = components['schemas'];
export type Estimate = Schemas['ReplayEstimate'];
export type Result = Schemas['ReplayResult'];
export type Policy = Schemas['ReplayedPolicy'];
export type InStore = Schemas['ReplayedStore'];
export type Path = Schemas['ReplayPath'];
export type Rule = Schemas['PlanRule'];
type RuleDraft = Schemas['PlanRuleDraft'];

/** Whose rights the settings of plans ask for. */
export const PLAN = 'dashboard/drpNew';

const KEY = ['services', 'replay'] as const;
/** What plans show, their settings with it; live events of settings refresh what stands below it. */
const PLANS = ['dashboard', 'drp-new'] as const;

/** How long a replay would take; `ask` is null where it cannot be asked yet. */
export const useEstimate = (ask: Ask | null) =>
  useQuery({
    queryKey: [...KEY, 'estimate', ask],
    queryFn: ({ signal }) =>
      body(
        api.POST('/api/tools/services/replay/estimate', {
          body: ask as Schemas['ServiceAsk'],
          signal,
        }),
      ),
    enabled: ask !== null,
    placeholderData: ask ? keepPreviousData : undefined,
    retry: false,
  });

const at = (id: string) => ({ path: { id } });

/** What a run came to; while it goes on, of the stores that are done. */
export const useResult = (run: Run | undefined) =>
  useQuery({
    queryKey: [...KEY, 'result', run?.id, run?.state, run?.done],
    queryFn: ({ signal }) =>
      body(
        api.GET('/api/tools/services/replay/runs/{id}/result', {
          params: at(run?.id ?? ''),
          signal,
        }),
      ),
    enabled: Boolean(run?.startedAt),
    placeholderData: (before, last) => (last?.queryKey[3] === run?.id ? before : undefined),
  });

/** The days of one root item in one store under every policy. */
export const usePath = (runId: string, storeId: string, rootItemId: string) =>
  useQuery({
    queryKey: [...KEY, 'path', runId, storeId, rootItemId],
    queryFn: ({ signal }) =>
      body(
        api.GET('/api/tools/services/replay/runs/{id}/path', {
          params: { ...at(runId), query: { storeId, rootItemId } },
          signal,
        }),
      ),
    placeholderData: keepPreviousData,
    enabled: storeId !== '' && rootItemId !== '',
  });

const settings = (signal?: AbortSignal) =>
  body(api.GET('/api/dashboard/drp-new/settings', { params: { query: {} }, signal }));

/** What plans go by now, for whoever may see it. */
export const usePlanRules = (enabled: boolean) =>
  useQuery({
    queryKey: [...PLANS, '/settings', 'rules'],
    queryFn: async ({ signal }) => (await settings(signal)).rules,
    enabled,
  });

/** The rule of a store as a whole, or of all stores. */
export const ruleAt = (rules: readonly Rule[], storeId: string | null): Rule | undefined =>
  rules.find((rule) => (rule.storeId ?? null) === storeId && !rule.categoryId && !rule.productId);

/** A step back from a choice. */
export type Undo = () => Promise<void>;

/** Makes a policy the setting of some stores, or of all (`null`); the answer takes that back. */
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
        else await api.DELETE('/api/dashboard/drp-new/settings/{id}', { params: at(id) });
      }
    } finally {
      await changed();
    }
  };
  try {
    for (const storeId of targets) {
      const { id, revision } = await body(
        api.POST('/api/tools/services/replay/runs/{id}/choose', {
          params: at(runId),
          body: { policy, storeId },
        }),
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
  return body(api.PUT('/api/dashboard/drp-new/settings', { body: draft }));
}
