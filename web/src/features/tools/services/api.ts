// Services and their runs: types, requests and cache invalidation.
import { keepPreviousData, type QueryKey, useQuery } from '@tanstack/react-query';
import { request } from '#/api/client';
import { queries } from '#/api/queries';
import type { components } from '#/api/schema.gen';

type Schemas = components['schemas'];
/**
 * A run's parameters; the service decides omitted ones. The contract leaves their type open, so it is declared here.
 */
export interface Ask {
  storeIds?: string[] | null;
  itemIds?: string[] | null;
  from?: string | null;
  to?: string | null;
  /** Days ahead. */
  horizon?: number | null;
  method?: string | null;
  /** For a replay: the policies to compare. */
  policies?: ReplayAsk[] | null;
}
/** A replay policy; omitted fields have defaults. */
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

/** Casts runs in an answer to the types declared here. */
const told = <T>(answer: Promise<unknown>) => answer as Promise<T>;

const SERVICES = ['services'] as const;
/** Polling interval during a run, in ms. */
const LOOK_EVERY = 1_000;

export const isOpen = (run: Run | null | undefined): boolean =>
  run?.state === 'queued' || run?.state === 'running';

/** The service cards. */
export const useServices = () =>
  useQuery({
    queryKey: [...SERVICES, 'cards'],
    queryFn: ({ signal }) =>
      told<{ items: Card[] }>(request('GET', '/api/tools/services', { signal })),
    refetchInterval: ({ state }) =>
      state.data?.items.some(({ lastRun }) => isOpen(lastRun)) ? LOOK_EVERY : false,
  });

/** A service's runs, newest first. */
export const useRuns = (service: string, limit: number, enabled = true) =>
  useQuery({
    queryKey: [...SERVICES, 'runs', service, limit],
    queryFn: ({ signal }) =>
      told<Runs>(
        request('GET', '/api/tools/services/{service}/runs', {
          path: { service },
          query: { limit },
          signal,
        }),
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
        request('GET', '/api/tools/services/{service}/runs/{id}', {
          path: { service, id },
          signal,
        }),
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
    request('POST', '/api/tools/services/{service}/runs', {
      path: { service },
      json: ask as Schemas['ServiceAsk'],
    }),
  );

export const cancelRun = ({ service, id }: Run) =>
  changing(
    SERVICES,
    request('POST', '/api/tools/services/{service}/runs/{id}/cancel', { path: { service, id } }),
  );

export const setSchedule = (service: string, schedule: Schedule) =>
  changing(
    SERVICES,
    request('PUT', '/api/tools/services/{service}/schedule', { path: { service }, json: schedule }),
  );
