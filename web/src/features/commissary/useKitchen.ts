import { useQuery } from '@tanstack/react-query';
import { request } from '#/api/client';
import { useNames } from '#/api/names';
import { useCan } from '#/api/session';

const LAST = 'commissary:last';

/** The shown commissary: the requested one, else the last one, else the default one. */
export function useKitchen(asked: string) {
  const names = useNames('commissaries');
  const mayRead = useCan('lists/commissaries');
  const list = useQuery({
    queryKey: ['lists', 'commissaries', 'default'],
    queryFn: ({ signal }) =>
      request('GET', '/api/lists/commissaries', { query: { pageSize: 200 }, signal }),
    enabled: mayRead,
    staleTime: 5 * 60_000,
  });
  const all = names.data ?? [];
  const last = localStorage.getItem(LAST);
  const main = list.data?.items.find(({ isDefault }) => isDefault)?.id;
  const ready = Boolean(names.data) && (!mayRead || !list.isPending);
  const id = ready
    ? ([asked, last, main].find((one) => all.some((known) => known.id === one)) ?? all[0]?.id ?? '')
    : '';
  return {
    id,
    all,
    ready,
    error: names.error,
    remember: (chosen: string) => localStorage.setItem(LAST, chosen),
  };
}
