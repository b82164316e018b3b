import { useQuery } from '@tanstack/react-query';
import { request } from './client';
import type { components } from './schema.gen';

export type Job = components['schemas']['Job'];

export const isOver = (job: Job | undefined) =>
  job !== undefined && job.state !== 'queued' && job.state !== 'running';

/** Polls a job until it ends. */
export function useJob(id: string | null | undefined) {
  return useQuery({
    queryKey: ['jobs', id],
    queryFn: ({ signal }) => request('GET', '/api/jobs/{id}', { path: { id: id ?? '' }, signal }),
    enabled: Boolean(id),
    staleTime: 0,
    refetchInterval: ({ state }) => (isOver(state.data) ? false : 500),
  });
}

export const cancelJob = (id: string) => request('POST', '/api/jobs/{id}/cancel', { path: { id } });
