import { type QueryKey, useQuery } from '@tanstack/react-query';

/** A job started on another screen ends without notice here, so its import is polled meanwhile. */
const ASK_EVERY_MS = 3000;

interface Options<B> {
  /** The prefix of query keys about these imports. */
  key: QueryKey;
  id: string;
  load(id: string, signal: AbortSignal): Promise<B>;
  /** Whether a job works on it. */
  busy(batch: B): boolean;
  enabled?: boolean;
}

/** An import as the server has it. */
export function useBatch<B>({ key, id, load, busy, enabled }: Options<B>) {
  return useQuery({
    queryKey: [...key, 'batch', id],
    queryFn: ({ signal }) => load(id, signal),
    enabled,
    refetchInterval: ({ state }) => (state.data && busy(state.data) ? ASK_EVERY_MS : false),
  });
}
