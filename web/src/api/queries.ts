import { QueryClient } from '@tanstack/react-query';
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
