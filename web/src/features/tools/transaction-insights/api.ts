import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useCallback } from 'react';
import { request } from '#/api/client';
import type { components } from '#/api/schema.gen';
import { queryString } from '#/paths';
import type { Against } from './question';

type Schemas = components['schemas'];
export type Insights = Schemas['Insights'];
export type Told = Schemas['TransactionInsights'];
export type TicketFigures = Schemas['TicketFigures'];
export type HourCell = Schemas['HourCell'];
export type TicketSize = Schemas['TicketSize'];
export type BoughtTogether = Schemas['BoughtTogether'];
export type Daypart = Schemas['Daypart'];
export type Kept = Schemas['KeptInsights'];
export type InsightsWork = Schemas['InsightsWork'];

const BASE = '/api/tools/transaction-insights';
const KEY = ['tools', 'transaction-insights'];

/** The parameters on the wire. */
export interface Asked {
  from: string;
  to: string;
  storeIds: readonly string[];
  areaIds: readonly string[];
  daypart: string;
  against: Against | null;
}

const flat = ({ from, to, storeIds, areaIds, daypart, against }: Asked) => ({
  from,
  to,
  storeIds: storeIds.join(',') || undefined,
  areaIds: areaIds.join(',') || undefined,
  daypart: daypart || undefined,
  againstFrom: against?.from,
  againstTo: against?.to,
});

/** The answer, or its job's progress; polled every second while a job runs. */
export function useInsights(asked: Asked, order: 'lift' | 'count') {
  const query = { ...flat(asked), order: order === 'count' ? order : undefined };
  return useQuery({
    queryKey: [...KEY, 'answer', query],
    queryFn: ({ signal }) => request('GET', BASE, { query, signal }),
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) => (atWork(state.data) ? 1_000 : false),
  });
}

/** The answer's running job, if any. */
export const atWork = (told: Told | undefined): InsightsWork | null => {
  const work = told?.work;
  return work && (work.state === 'queued' || work.state === 'running') ? work : null;
};

/** Refetches the answer once its job ends. */
export function useInsightsOver(): () => void {
  const client = useQueryClient();
  return useCallback(() => void client.invalidateQueries({ queryKey: KEY }), [client]);
}

/** Starts the job of a large analysis. */
export function useWorkOut(asked: Asked) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: () => request('POST', `${BASE}/work`, { query: flat(asked) }),
    onSettled: () => client.invalidateQueries({ queryKey: KEY }),
  });
}

/** The last week's large analyses. */
export function useKept(on: boolean) {
  return useQuery({
    queryKey: [...KEY, 'kept'],
    queryFn: ({ signal }) => request('GET', `${BASE}/kept`, { signal }),
    enabled: on,
  });
}

export type TableName = 'pairs' | 'triples' | 'hours' | 'sizes' | 'stores' | 'dayparts';

export const exportHref =
  (asked: Asked, table: TableName, order: 'lift' | 'count') => (format: 'csv' | 'xlsx') =>
    `${BASE}/export${queryString({ ...flat(asked), table, order, format })}`;
