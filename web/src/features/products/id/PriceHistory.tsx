import { Skeleton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useNames } from '#/api/names';
import { Problem } from '#/api/problem';
import { fromWhen, PriceOrigin } from '#/lists/PriceOrigin';
import { ErrorBox } from '#/ui/ErrorBox';
import { money } from '#/ui/format';
import { KEY, type Product, productsApi } from '../api';
import classes from './PriceHistory.module.css';

/** What the product cost at each price level, by day. */
export function PriceHistory({ product: { id } }: { product: Product }) {
  const { data: levels = [] } = useNames('price-levels');
  // The key starts like that of products, whose changes refetch it.
  const { data, error } = useQuery({
    queryKey: [...KEY, 'one', id, 'prices'],
    queryFn: ({ signal }) => productsApi.prices(id, signal),
  });
  if (error && !data) return <ErrorBox>{Problem.of(error).message}</ErrorBox>;
  if (!data) return <Skeleton height={80} radius="md" aria-busy />;
  if (data.items.length === 0) return null;
  const nameOf = (level: string) => levels.find((it) => it.id === level)?.name ?? 'Deleted level';

  return (
    <section className={classes.history} aria-labelledby="price-history">
      <h2 id="price-history">Prices by day</h2>
      <p>
        A price that you save counts from today on. Documents keep the price of the day they are
        for.
      </p>
      <ul>
        {data.items.map((price) => (
          <li key={`${price.from} ${price.priceLevelId}`}>
            <span>
              {nameOf(price.priceLevelId)}:{' '}
              <b className="num">{price.price == null ? 'No price' : money(price.price)}</b>{' '}
              {fromWhen(price)}
            </span>
            <small>
              <PriceOrigin price={price} />
            </small>
          </li>
        ))}
      </ul>
    </section>
  );
}
