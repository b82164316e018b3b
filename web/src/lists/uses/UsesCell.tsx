import { useQuery } from '@tanstack/react-query';
import { count, MISSING } from '#/ui/format';
import { usesOfVisibleRow } from './api';
import classes from './Uses.module.css';

interface Props {
  base: string;
  slug: string;
  id: string;
}

/** The number of uses. Only visible rows are rendered, so only those are requested. */
export function UsesCell({ base, slug, id }: Props) {
  const { data, error } = useQuery({
    queryKey: ['lists', slug, 'uses', id],
    queryFn: () => usesOfVisibleRow(base, id),
    staleTime: 60_000,
    retry: false,
  });
  if (error) return <span className={classes.none}>{MISSING}</span>;
  if (!data) return <span className={classes.bone} />;
  if (data.total === 0) return <span className={classes.none}>Not used</span>;
  return (
    <span title={data.uses.map(({ label, count: n }) => `${count(n)} ${label}`).join(', ')}>
      {count(data.total)}
    </span>
  );
}
