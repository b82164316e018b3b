import { useQuery } from '@tanstack/react-query';
import { request } from './client';

export interface Job {
  id: string;
  kind: string;
  state: 'queued' | 'running' | 'done' | 'failed' | 'cancelled';
  done: number;
  total: number;
  message?: string | null;
  result?: unknown;
  error?: string | null;
}

export const isOver = (job: Job | undefined) =>
  job !== undefined && job.state !== 'queued' && job.state !== 'running';

/** Follows a job until it is over. */
export function useJob(id: string | null | undefined) {
  return useQuery({
    queryKey: ['jobs', id],
    queryFn: ({ signal }) => request<Job>('GET', `/api/jobs/${id}`, { signal }),
    enabled: Boolean(id),
    staleTime: 0,
    refetchInterval: ({ state }) => (isOver(state.data) ? false : 500),
  });
}

export const cancelJob = (id: string) => request<Job>('POST', `/api/jobs/${id}/cancel`);
