import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { request } from '#/api/client';
import type { Body } from '#/api/operations';
import { queries } from '#/api/queries';
import { queryString } from '#/paths';
import { asked, writeDefinition } from './definition';
import type { Definition, People, Report, Reports, Sends } from './types';

export const KEY = 'custom-reports';
const BASE = '/api/reports/custom';
const ONE = '/api/reports/custom/{id}';

export const useDatasets = () =>
  useQuery({
    queryKey: [KEY, 'datasets'],
    queryFn: ({ signal }) => request('GET', '/api/reports/custom/datasets', { signal }),
    staleTime: 10 * 60_000,
  });

export const useReports = (on = true) =>
  useQuery({
    queryKey: [KEY, 'list'],
    queryFn: ({ signal }): Promise<Reports> => request('GET', BASE, { signal }),
    enabled: on,
  });

export const useSaved = (id: string | null) =>
  useQuery({
    queryKey: [KEY, 'one', id],
    queryFn: ({ signal }): Promise<Report> =>
      request('GET', ONE, { path: { id: id ?? '' }, signal }),
    enabled: id !== null,
  });

/** The table; the old one stays while another loads. */
export function useAnswer(definition: Definition | null) {
  const text = definition && writeDefinition(asked(definition));
  return useQuery({
    queryKey: [KEY, 'preview', text],
    queryFn: ({ signal }) =>
      request('POST', `${BASE}/preview`, { json: JSON.parse(text ?? '{}'), signal }),
    enabled: text !== null && (definition?.measures.length ?? 0) > 0,
    placeholderData: keepPreviousData,
  });
}

export const usePeople = () =>
  useQuery({
    queryKey: [KEY, 'people'],
    queryFn: ({ signal }): Promise<People> =>
      request('GET', '/api/reports/custom/people', { signal }),
    staleTime: 60_000,
  });

export const useSends = (id: string) =>
  useQuery({
    queryKey: [KEY, 'sends', id],
    queryFn: ({ signal }): Promise<Sends> =>
      request('GET', '/api/reports/custom/{id}/sends', { path: { id }, signal }),
    refetchInterval: ({ state }) =>
      state.data?.items.some((send) => send.state === 'waiting' || send.state === 'mailed')
        ? 1_500
        : false,
  });

export function useValues(definition: Definition, field: string, q: string, on: boolean) {
  const { dataset, range } = definition;
  return useQuery({
    queryKey: [KEY, 'values', dataset, range, field, q],
    queryFn: ({ signal }) =>
      request('GET', `${BASE}/values`, { query: { dataset, field, q, ...range }, signal }),
    placeholderData: keepPreviousData,
    enabled: on,
    staleTime: 60_000,
  });
}

const changed = () => queries.invalidateQueries({ queryKey: [KEY] });
const settled = async <T>(call: Promise<T>): Promise<T> => {
  const done = await call;
  // The tables stay valid: only saved definitions changed.
  await Promise.all(
    ['list', 'one', 'sends'].map((part) => queries.invalidateQueries({ queryKey: [KEY, part] })),
  );
  return done;
};

export interface Draft {
  name: string;
  about: string;
  definition: Definition;
  everybody: boolean;
  roles: string[];
}

/** The names of filter values are only for the screen. */
const sent = <T extends Partial<Draft>>(draft: T) =>
  draft as T & { definition: Body<'POST', typeof BASE>['definition'] };

export const create = (draft: Draft): Promise<Report> =>
  settled(request('POST', BASE, { json: sent(draft) }));

export const update = (report: Report, patch: Partial<Draft>): Promise<Report> =>
  settled(
    request('PATCH', `${BASE}/{id}`, {
      path: { id: report.id },
      json: { revision: report.revision, ...sent(patch) },
    }),
  );

export const askReport = (id: string, signal?: AbortSignal): Promise<Report> =>
  request('GET', `${BASE}/{id}`, { path: { id }, signal });

/** Deletes a report. Its own page is still open then, and must not refetch it. */
export async function remove(report: Report): Promise<void> {
  await request('DELETE', `${BASE}/{id}`, {
    path: { id: report.id },
    query: { revision: report.revision },
  });
  await queries.invalidateQueries({ queryKey: [KEY, 'list'] });
}

export const restore = (report: Report): Promise<unknown> =>
  request('POST', `${BASE}/{id}/restore`, {
    path: { id: report.id },
    query: { revision: report.revision + 1 },
  }).finally(changed);

export interface ScheduleDraft {
  enabled: boolean;
  every: 'week' | 'month';
  minutes: number;
  weekdays: number;
  monthDay: number;
  note: string;
  recipients: string[];
  revision: number;
}

export const setSchedule = (id: string, draft: ScheduleDraft): Promise<Report> =>
  settled(request('PUT', `${BASE}/{id}/schedule`, { path: { id }, json: draft }));

export const sendTest = (id: string): Promise<Sends> =>
  settled(request('POST', `${BASE}/{id}/test`, { path: { id } }));

export const exportHref = (definition: Definition, name: string) => (format: 'csv' | 'xlsx') =>
  `${BASE}/export${queryString({ definition: writeDefinition(asked(definition)), name, format })}`;
