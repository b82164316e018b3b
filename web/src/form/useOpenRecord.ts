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
 * The record a drawer shows. A screen may be filtered or far away from what the address names: then it
 * is asked for. What leaves its screen by somebody's change, or by a deletion whose answer is still on
 * its way, stays in the drawer, and with it what is being typed there.
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
