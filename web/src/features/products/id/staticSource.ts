import { clientSource } from '#/table/sources';
import type { Source } from '#/table/types';

/** A table source for rows that are already loaded. */
export function staticSource<T>(rows: readonly T[]): Source<T> {
  const never = () => Promise.reject(new Error('nothing is loaded'));
  return clientSource({ data: rows, isPending: false, error: null, refetch: never });
}
