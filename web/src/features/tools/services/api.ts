// Services and their runs: the contract's types, the calls, and what a change makes stale.
import { keepPreviousData, type QueryKey, useQuery } from '@tanstack/react-query';
import { api, body } from '#/api/client';
import { queries } from '#/api/queries';
import type { components } from '#/api/schema.gen';

type Schemas = components['schemas'];
/** What a run is asked; what is left out is up to the service. The contract leaves it open, so it is told here. */
export interface Ask {
  storeIds?: string[] | null;
  itemIds?: string[] | null;
  from?: string | null;
  to?: string | null;
  /** Days ahead. */
  horizon?: number | null;
  method?: string | null;
  /** Of a replay: what is compared. */
  policies?: ReplayAsk[] | null;
}
/** A policy of a replay; what is left out is what is usual. */
export type ReplayAsk = Pick<Schemas['ReplayPolicy'], 'name'> & Partial<Schemas['ReplayPolicy']>;
export type Run = Omit<Schemas['ServiceRun'], 'asked'> & { asked: Ask };
export type Card = Omit<Schemas['ServiceCard'], 'lastRun'> & { lastRun?: Run | null };
export type Schedule = Schemas['ServiceSchedule'];
export type RunFigure = Schemas['ServiceFigure'];
export type Failure = Schemas['ServiceFailure'];

interface Runs {
  items: Run[];
  total: number;
}

/** The answer with runs as they are told here. */
const told = <T>(answer: Promise<unknown>) => answer as Promise<T>;

const SERVICES = ['services'] as const;
/** How often a run is looked at while it goes on, in ms. */
const LOOK_EVERY = 1_000;

export const isOpen = (run: Run | null | undefined): boolean =>
  run?.state === 'queued' || run?.state === 'running';

/** The cards of the hub. */
export const useServices = () =>
  useQuery({
    queryKey: [...SERVICES, 'cards'],
    queryFn: ({ signal }) =>
      told<{ items: Card[] }>(body(api.GET('/api/tools/services', { signal }))),
    refetchInterval: ({ state }) =>
      state.data?.items.some(({ lastRun }) => isOpen(lastRun)) ? LOOK_EVERY : false,
  });

/** A service's runs, the newest first. */
export const useRuns = (service: string, limit: number, enabled = true) =>
  useQuery({
    queryKey: [...SERVICES, 'runs', service, limit],
    queryFn: ({ signal }) =>
      told<Runs>(
        body(
          api.GET('/api/tools/services/{service}/runs', {
            params: { path: { service }, query: { limit } },
            signal,
          }),
        ),
      ),
    enabled,
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) => (state.data?.items.some(isOpen) ? LOOK_EVERY : false),
  });

/** One run, however old it is. */
export const useRun = (service: string, id: string) =>
  useQuery({
    queryKey: [...SERVICES, 'run', service, id],
    queryFn: ({ signal }) =>
      told<Run>(
        body(
          api.GET('/api/tools/services/{service}/runs/{id}', {
            params: { path: { service, id } },
            signal,
          }),
        ),
      ),
    enabled: id !== '',
  });

async function changing<T>(key: QueryKey, work: Promise<T>): Promise<T> {
  try {
    return await work;
  } finally {
    await queries.invalidateQueries({ queryKey: key });
  }
}

export const startRun = (service: string, ask: Ask = {}) =>
  changing(
    SERVICES,
    body(
      api.POST('/api/tools/services/{service}/runs', {
        params: { path: { service } },
        body: ask as Schemas['ServiceAsk'],
      }),
    ),
  );

export const cancelRun = ({ service, id }: Run) =>
  changing(
    SERVICES,
    body(
      api.POST('/api/tools/services/{service}/runs/{id}/cancel', {
        params: { path: { service, id } },
      }),
    ),
  );

export const setSchedule = (service: string, schedule: Schedule) =>
  changing(
    SERVICES,
    body(
      api.PUT('/api/tools/services/{service}/schedule', {
        params: { path: { service } },
        body: schedule,
      }),
    ),
  );
