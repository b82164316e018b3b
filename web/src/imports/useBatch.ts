import { type QueryKey, useQuery } from '@tanstack/react-query';

/** Work that another screen started ends without this one hearing of it, so it is asked about while it goes on. */
const ASK_EVERY_MS = 3000;

interface Options<B> {
  /** Every question about these imports begins with it. */
  key: QueryKey;
  id: string;
  load(id: string, signal: AbortSignal): Promise<B>;
  /** Whether a job is at work on it. */
  busy(batch: B): boolean;
  enabled?: boolean;
}

/** An import as the server knows it. */
export function useBatch<B>({ key, id, load, busy, enabled }: Options<B>) {
  return useQuery({
    queryKey: [...key, 'batch', id],
    queryFn: ({ signal }) => load(id, signal),
    enabled,
    refetchInterval: ({ state }) => (state.data && busy(state.data) ? ASK_EVERY_MS : false),
  });
}
