import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { request } from '#/api/client';
import type { components } from '#/api/schema.gen';
import type { FormValues } from '#/form/types';
import { money } from '#/ui/format';
import classes from './Cost.module.css';
import { reckon } from './costs';

interface Items {
  items: components['schemas']['RootItem'][];
}

/** What the batch costs, while it is typed. */
export function Cost({ values }: { values: FormValues }) {
  const { data } = useQuery({
    queryKey: ['lists', 'root-items', 'prices'],
    queryFn: async ({ signal }) =>
      (
        await request<Items>('GET', '/api/lists/root-items', {
          query: { pageSize: 'all', includeHidden: 'true' },
          signal,
        })
      ).items,
  });
  const prices = useMemo(() => new Map(data?.map(({ id, price }) => [id, price ?? null])), [data]);
  const names = useMemo(() => new Map(data?.map(({ id, name }) => [id, name])), [data]);
  const { cost, unitCost, missing, lines } = reckon(values, prices);
  if (!data || lines === 0) return null;
  return (
    <section className={classes.cost} aria-label="Cost" aria-live="polite">
      <dl className={classes.figures}>
        <div>
          <dt>Batch cost</dt>
          <dd className="num">{money(cost)}</dd>
        </div>
        <div>
          <dt>Unit cost</dt>
          <dd className="num">{money(unitCost)}</dd>
        </div>
      </dl>
      {unitCost === null && <p>Enter a yield to see what one unit costs.</p>}
      {missing.length > 0 && (
        <p data-warn>
          Not counted, because without a price:{' '}
          {missing.map((id) => names.get(id) ?? id).join(', ')}.
        </p>
      )}
    </section>
  );
}
