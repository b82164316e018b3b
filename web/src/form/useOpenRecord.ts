import { type QueryKey, useQuery } from '@tanstack/react-query';
import { useRef } from 'react';

interface Options<T> {
  /** An id, `new`, or nothing. */
  open: string;
  /** The record, if the screen has it already. */
  known: T | undefined;
  queryKey: QueryKey;
  get(id: string, signal: AbortSignal): Promise<T>;
}

/**
 * The record a drawer shows. If the screen does not have it, because of filters or paging, it is fetched. A record that
 * leaves the screen, by another user's change or a pending deletion, stays in the drawer with what is being typed.
 */
export function useOpenRecord<T extends { id: string }>({
  open,
  known,
  queryKey,
  get,
}: Options<T>): { record: T | undefined; error: unknown } {
  const last = useRef<T>(undefined);
  if (known) last.current = known;
  const kept = known ?? (last.current?.id === open ? last.current : undefined);
  const one = useQuery({
    queryKey,
    queryFn: ({ signal }) => get(open, signal),
    enabled: open !== '' && open !== 'new' && !kept,
  });
  return { record: kept ?? (open ? one.data : undefined), error: one.error };
}
