// Forecasts, overrides and events: types, requests and cache invalidation.
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { request } from '#/api/client';
import { queries } from '#/api/queries';
import type { components } from '#/api/schema.gen';
import { queryString } from '#/paths';

type Schemas = components['schemas'];
export type Figure = Schemas['ForecastFigure'];
export type Series = Schemas['ForecastSeries'];
export type Errors = Schemas['ForecastErrors'];
export type Override = Schemas['ForecastOverride'];
export type ForecastEvent = Schemas['ForecastEvent'];
export type Coverage = Schemas['SalesCoverage'];
export type CoverageDay = Schemas['SalesCoverageDay'];
export type Judged = Schemas['ForecastAccuracyLine'];
export type Accuracy = Schemas['ForecastAccuracy'];
export type JudgedSeries = Schemas['ForecastAccuracySeries'];

/** Live events of overrides and events refresh queries below this key. */
export const FORECAST = ['forecast'] as const;

export type FiguresQuery = { storeId?: string; q?: string; sort?: string };

const figuresOf = (service: string, id: string, query: FiguresQuery) => ({
  path: { service, id },
  query: {
    storeId: query.storeId || undefined,
    q: query.q || undefined,
    sort: query.sort || undefined,
  },
});

/** A window of a run's figures. */
export const fetchFigures = (
  service: string,
  runId: string,
  query: FiguresQuery & { limit: number; offset: number },
  signal: AbortSignal,
) => {
  const { path, query: asked } = figuresOf(service, runId, query);
  const { limit, offset } = query;
  return request('GET', '/api/tools/services/{service}/runs/{id}/figures', {
    path,
    query: { ...asked, limit, offset },
    signal,
  });
};

export function figuresHref(service: string, runId: string, query: FiguresQuery) {
  const base = `/api/tools/services/${encodeURIComponent(service)}/runs/${encodeURIComponent(runId)}`;
  const { query: asked } = figuresOf(service, runId, query);
  return (format: 'csv' | 'xlsx') => `${base}/figures/export${queryString({ ...asked, format })}`;
}

export interface SeriesAt {
  storeId: string;
  rootItemId: string;
}

/** One store and item of a run. */
export const useSeries = (service: string, runId: string, at: SeriesAt) =>
  useQuery({
    queryKey: [...FORECAST, 'series', service, runId, at.storeId, at.rootItemId],
    queryFn: ({ signal }) =>
      request('GET', '/api/tools/services/{service}/runs/{id}/series', {
        path: { service, id: runId },
        query: { ...at },
        signal,
      }),
    placeholderData: keepPreviousData,
  });

/** After a change of an override or an event: refetches every chart with it. */
const changed = () => queries.invalidateQueries({ queryKey: FORECAST });

async function changing<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } finally {
    await changed();
  }
}

const OVERRIDES = '/api/tools/forecast/overrides';
const EVENTS = '/api/tools/forecast/events';

/** Omitted fields are unchanged; in a new record they are empty. */
type Draft = Record<string, unknown>;

export const overrideApi = {
  page: (query: { storeId?: string; limit: number; offset: number }, signal: AbortSignal) =>
    request('GET', OVERRIDES, { query, signal }),
  create: (draft: Draft) =>
    changing(request('POST', OVERRIDES, { json: draft as Schemas['ForecastOverrideDraft'] })),
  update: (id: string, draft: Draft) =>
    changing(
      request('PATCH', `${OVERRIDES}/{id}`, {
        path: { id },
        json: draft as Schemas['ForecastOverrideDraft'],
      }),
    ),
  remove: (id: string) => changing(request('DELETE', `${OVERRIDES}/{id}`, { path: { id } })),
};

export const eventApi = {
  create: (draft: Draft) =>
    changing(request('POST', EVENTS, { json: draft as Schemas['ForecastEventDraft'] })),
  update: (id: string, draft: Draft) =>
    changing(
      request('PATCH', `${EVENTS}/{id}`, {
        path: { id },
        json: draft as Schemas['ForecastEventDraft'],
      }),
    ),
  remove: (id: string) => changing(request('DELETE', `${EVENTS}/{id}`, { path: { id } })),
};

/** Events of a range of days. */
export const useEvents = (from: string, to: string) =>
  useQuery({
    queryKey: [...FORECAST, 'events', from, to],
    queryFn: ({ signal }) => request('GET', EVENTS, { query: { from, to }, signal }),
    placeholderData: keepPreviousData,
  });

export interface AccuracyQuery {
  by: 'series' | 'store' | 'item' | 'method';
  storeId?: string;
  rootItemId?: string;
  method?: string;
  service?: string;
  horizon?: string;
  from?: string;
  to?: string;
}

const some = <T extends object>(query: T): T =>
  Object.fromEntries(Object.entries(query).filter(([, value]) => value)) as T;

export const fetchAccuracy = (
  query: AccuracyQuery & { sort?: string; limit: number; offset: number },
  signal: AbortSignal,
) => request('GET', '/api/tools/forecast/accuracy', { query: some(query), signal });

/** One series' forecasts by day, against outcomes. */
export const useJudgedSeries = (query: AccuracyQuery) =>
  useQuery({
    queryKey: [...FORECAST, 'accuracy', 'series', query],
    queryFn: ({ signal }) =>
      request('GET', '/api/tools/forecast/accuracy/series', { query: some(query), signal }),
    placeholderData: keepPreviousData,
  });

/** How complete the imported sales are; imports refresh it. */
export const useCoverage = (from: string, to: string, enabled: boolean) =>
  useQuery({
    queryKey: ['import-sales', 'coverage-days', from, to],
    queryFn: ({ signal }) =>
      request('GET', '/api/tools/services/daily-sales-coverage/days', {
        query: { from, to },
        signal,
      }),
    placeholderData: keepPreviousData,
    enabled,
  });
