import { QueryClient, type QueryKey } from '@tanstack/react-query';
import { Problem } from './problem';

const retryable = (error: unknown) =>
  error instanceof Problem && (error.code === 'offline' || error.status === 503);

export const queries = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 30_000,
      gcTime: 10 * 60_000,
      retry: (count, error) => count < 2 && retryable(error),
      // Big lists: comparing every row with its old self costs more than drawing it again.
      structuralSharing: false,
    },
  },
});

/**
 * Whether a question can still be answered when these records are gone: what became of a record can be,
 * the record itself not. A deletion is told before its answer is back, and the page that deleted is still
 * on the screen then.
 */
export function answerable(queryKey: QueryKey, gone: ReadonlySet<unknown>): boolean {
  return queryKey[0] === 'history' || !queryKey.some((part) => gone.has(part));
}
