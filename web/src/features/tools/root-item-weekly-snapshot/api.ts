import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { request } from '#/api/client';
import { queries } from '#/api/queries';
import type { components } from '#/api/schema.gen';

type Schemas = components['schemas'];
export type Week = Schemas['SnapshotWeek'];
export type Weeks = Schemas['SnapshotWeeks'];
export type Difference = Schemas['SnapshotDifference'];
export type Run = Schemas['ServiceRun'];

const SERVICE = 'root-item-weekly-snapshot';
const ROOT = `/api/tools/${SERVICE}/weeks`;
const RUNS = '/api/tools/services/{service}/runs';
const path = { service: SERVICE };
const KEY = ['snapshot-weeks'] as const;
const RUNS_KEY = ['services', 'runs', SERVICE] as const;
/** Polling interval during a run, in ms. */
const LOOK_EVERY = 1500;

export const isOpen = (run: Run | null | undefined): boolean =>
  run?.state === 'queued' || run?.state === 'running';

/** A year's weeks, newest first. */
export const useWeeks = (year: number | null) =>
  useQuery({
    queryKey: [...KEY, year],
    queryFn: ({ signal }) => request('GET', ROOT, { query: year === null ? {} : { year }, signal }),
    placeholderData: keepPreviousData,
  });

/** The last run; polled while in progress. */
export const useLastRun = () =>
  useQuery({
    queryKey: [...RUNS_KEY, 'last'],
    queryFn: ({ signal }) => request('GET', RUNS, { path, query: { limit: 1, offset: 0 }, signal }),
    select: ({ items }) => items[0] ?? null,
    refetchInterval: ({ state }) => (isOpen(state.data?.items[0]) ? LOOK_EVERY : false),
  });

/** Differences per page. */
export const PAGE = 200;

export const useDifferences = (week: string, offset: number) =>
  useQuery({
    queryKey: [...KEY, 'differences', week, offset],
    queryFn: ({ signal }) =>
      request('GET', `${ROOT}/{week}/differences`, {
        path: { week },
        query: { limit: PAGE, offset },
        signal,
      }),
    placeholderData: keepPreviousData,
  });

async function changed<T>(what: Promise<T>): Promise<T> {
  const answer = await what;
  await Promise.all([
    queries.invalidateQueries({ queryKey: KEY }),
    queries.invalidateQueries({ queryKey: ['services'] }),
  ]);
  return answer;
}

export const makeWeek = (week: string) =>
  changed(request('POST', `${ROOT}/{week}/make`, { path: { week } }));

type Ask = Schemas['ServiceAsk'];

/** Makes all weeks of a range. */
export const makeWeeks = (from: string, to: string) =>
  changed(request('POST', RUNS, { path, json: { from, to } as Ask }));

export const freezeWeek = (week: string) =>
  changed(request('POST', `${ROOT}/{week}/freeze`, { path: { week } }));

export const reopenWeek = (week: string, reason: string) =>
  changed(request('POST', `${ROOT}/{week}/reopen`, { path: { week }, json: { reason } }));

export const cancelRun = (id: string) =>
  changed(request('POST', `${RUNS}/{id}/cancel`, { path: { ...path, id } }));
