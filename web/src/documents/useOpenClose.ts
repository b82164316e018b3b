import { useQuery } from '@tanstack/react-query';
import { useCan } from '#/api/session';
import { CLOSE_KEY, type CloseLine, closeApi } from './close';

const REFRESH_MS = 60_000;
const NONE: readonly CloseLine[] = [];

/** What is open about a store's counts of today and yesterday, for a user who may answer. */
export function useOpenClose(storeId: string): readonly CloseLine[] {
  const may = useCan('stores/storeCount', 'count');
  const { data } = useQuery({
    queryKey: [...CLOSE_KEY, storeId],
    queryFn: ({ signal }) => closeApi.openOf(storeId, signal),
    enabled: may && storeId !== '',
    refetchInterval: REFRESH_MS,
  });
  return (may && data) || NONE;
}
