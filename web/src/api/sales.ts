import { useQuery } from '@tanstack/react-query';
import { request } from './client';

export interface KnownRange {
  from: string;
  to: string;
}

/** The range of days with imported sales, from the newest imports; null if unknown. */
export function useKnownRange(): { range: KnownRange | null; pending: boolean } {
  const { data, isLoading } = useQuery({
    queryKey: ['import-sales', 'known'],
    queryFn: ({ signal }) =>
      request('GET', '/api/tools/import-sales-product/batches', {
        query: { page: 1, pageSize: 100 },
        signal,
      }),
    staleTime: 60_000,
    retry: false,
  });
  const posted = (data?.items ?? []).filter(({ state }) => state === 'posted');
  const first = posted.flatMap(({ summary }) => summary?.firstDay ?? []).sort()[0];
  const last = posted
    .flatMap(({ summary }) => summary?.lastDay ?? [])
    .sort()
    .at(-1);
  return { range: first && last ? { from: first, to: last } : null, pending: isLoading };
}
