// The reading to review next, without those left for later: what fails comes first.
import { useQuery } from '@tanstack/react-query';
import { useLocation, useNavigate } from 'react-router';
import { to } from '#/paths';
import { askReadings, KEY } from '../api';

/** The list's largest page. */
const MOST = 200;

export function useQueue(id: string) {
  const navigate = useNavigate();
  const later: readonly string[] = useLocation().state?.later ?? [];
  const seen = [...later, id];
  // Loaded in advance.
  const next = useQuery({
    queryKey: [...KEY, 'next', ...seen],
    queryFn: async ({ signal }) => {
      const pageSize = Math.min(seen.length + 1, MOST);
      const query = { state: 'needsReview', sort: 'review', pageSize };
      const { items } = await askReadings(query, signal);
      return items.find((row) => !seen.includes(row.id))?.id ?? null;
    },
  });
  const open = (one: string, left: readonly string[]) =>
    void navigate(to('salesZReadingOne', { id: one }), { state: { later: left } });

  return {
    /** Whether another one waits. */
    more: Boolean(next.data),
    /** Opens the next one, or the list. */
    async goOn(): Promise<void> {
      const { data } = await next.refetch();
      if (data) open(data, later);
      else void navigate(to('salesZReading'));
    },
    /** Opens the next one; this one comes back on the next round. */
    leave(): void {
      if (next.data) open(next.data, seen);
    },
  };
}
