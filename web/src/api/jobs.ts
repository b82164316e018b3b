import { useQuery } from '@tanstack/react-query';
import { api, body } from './client';
import type { components } from './schema.gen';

export type Job = components['schemas']['Job'];

export const isOver = (job: Job | undefined) =>
  job !== undefined && job.state !== 'queued' && job.state !== 'running';

/** Polls a job until it ends. */
export function useJob(id: string | null | undefined) {
  return useQuery({
    queryKey: ['jobs', id],
    queryFn: ({ signal }) =>
      body(api.GET('/api/jobs/{id}', { params: { path: { id: id ?? '' } }, signal })),
    enabled: Boolean(id),
    staleTime: 0,
    refetchInterval: ({ state }) => (isOver(state.data) ? false : 500),
  });
}

export const cancelJob = (id: string) =>
  body(api.POST('/api/jobs/{id}/cancel', { params: { path: { id } } }));
