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
      // In big lists comparing every row costs more than rendering it again.
      structuralSharing: false,
    },
  },
});

/**
 * Whether a query can still succeed when these records are deleted: their history can, the records
 * themselves cannot. The live event of a deletion arrives before its response, while the page of the
 * record is still open.
 */
export function isAnswerable(queryKey: QueryKey, gone: ReadonlySet<unknown>): boolean {
  return queryKey[0] === 'history' || !queryKey.some((part) => gone.has(part));
}
