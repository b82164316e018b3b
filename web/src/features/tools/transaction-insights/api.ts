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

/** What is asked, as it goes over the wire. */
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

/** The answer, or how far the work on it is; asked again every second while somebody is at it. */
export function useInsights(asked: Asked, order: 'lift' | 'count') {
  const query = { ...flat(asked), order: order === 'count' ? order : undefined };
  return useQuery({
    queryKey: [...KEY, 'answer', query],
    queryFn: ({ signal }) => request('GET', BASE, { query, signal }),
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) => (atWork(state.data) ? 1_000 : false),
  });
}

/** The job that is at the answer, if one is. */
export const atWork = (told: Told | undefined): InsightsWork | null => {
  const work = told?.work;
  return work && (work.state === 'queued' || work.state === 'running') ? work : null;
};

/** Asks for the answer anew once its job is over. */
export function useInsightsOver(): () => void {
  const client = useQueryClient();
  return useCallback(() => void client.invalidateQueries({ queryKey: KEY }), [client]);
}

/** Has a large question worked out. */
export function useWorkOut(asked: Asked) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: () => request('POST', `${BASE}/work`, { query: flat(asked) }),
    onSettled: () => client.invalidateQueries({ queryKey: KEY }),
  });
}

/** The large questions of the last week. */
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
