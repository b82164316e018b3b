import { Select, Skeleton } from '@mantine/core';
import { IconAlertTriangle, IconChefHat } from '@tabler/icons-react';
import { useMemo } from 'react';
import { Link } from 'react-router';
import { useNameOf, useNames } from '#/api/names';
import { Problem } from '#/api/problem';
import { recordPath } from '#/records';
import { DataTable } from '#/table/DataTable';
import { clientSource } from '#/table/sources';
import type { Column } from '#/table/types';
import type { TableState } from '#/table/useTableState';
import { EmptyState } from '#/ui/EmptyState';
import { day, plural, qty, shortDay } from '#/ui/format';
import { Segments } from '#/ui/Segments';
import { useKitchenPlan } from './api';
import classes from './Drp.module.css';
import { figuresOf } from './kitchenFigures';
import { round } from './labels';
import type { Kitchen } from './wire';

type Product = Kitchen['products'][number] & { name: string };
type Ingredient = Kitchen['ingredients'][number] & { name: string };

/** Where a kitchen's open orders stand, what it has to make per day for coming ones, and what to buy for it. */
export function KitchenTab({ state }: { state: TableState }) {
  const { data: kitchens = [] } = useNames('commissaries');
  const commissaryId = state.get('commissary') || (kitchens[0]?.id ?? '');
  const query = useKitchenPlan(commissaryId);
  const products = useNameOf('products');
  const roots = useNameOf('root-items');
  const buying = state.get('view') === 'buy';
  const plan = query.data;
  const toMake = useMemo(
    () =>
      plan?.products.map((one) => ({ ...one, name: products.get(one.productId)?.name ?? '' })) ??
      [],
    [plan, products],
  );
  const toBuy = useMemo(
    () =>
      plan?.ingredients.map((one) => ({
        ...one,
        name: products.get(one.productId ?? '')?.name ?? roots.get(one.rootItemId)?.name ?? '',
      })),
    [plan, products, roots],
  );
  const figures = useMemo(() => figuresOf(toMake), [toMake]);
  const making = toMake.filter(({ net }) => net.some((value) => value > 0)).length;
  const missing = toBuy?.filter((one) => one.toBuy > 0).length ?? 0;

  return (
    <>
      <div className={`${classes.bar} no-print`}>
        <Select
          aria-label="Commissary"
          data={kitchens.map(({ id, name }) => ({ value: id, label: name }))}
          value={commissaryId || null}
          onChange={(id) => id && state.set({ commissary: id })}
          allowDeselect={false}
          w={220}
        />
        <Segments
          label="What is shown"
          value={buying ? 'buy' : ''}
          options={[
            { value: '', label: `To produce ${making || ''}`.trim() },
            { value: 'buy', label: `Ingredients${missing ? `, ${missing} to buy` : ''}` },
          ]}
          onChange={(next) => state.set({ view: next || null, q: null })}
        />
      </div>
      {query.error && !plan ? (
        <EmptyState
          icon={IconAlertTriangle}
          role="alert"
          title="The kitchen’s plan could not be worked out"
          text={Problem.of(query.error).message}
        />
      ) : !plan ? (
        <Skeleton className={classes.fillFrame} radius="md" />
      ) : buying ? (
        <DataTable<Ingredient>
          bare
          id="drp-ingredients"
          title="Ingredients"
          one="ingredient"
          many="ingredients"
          source={clientSource({ ...query, data: toBuy })}
          columns={INGREDIENTS}
          rowId={({ rootItemId }) => rootItemId}
          rowLabel={({ name }) => name}
          state={state}
          hrefOf={({ productId, rootItemId }) =>
            (productId ? recordPath('product', productId) : recordPath('rootItem', rootItemId)) ??
            ''
          }
          empty={{ title: 'No ingredients are needed', text: 'Nothing has to be produced.' }}
        />
      ) : toMake.length === 0 ? (
        <EmptyState
          icon={IconChefHat}
          title="Nothing to produce"
          text="What the kitchen has covers what stores will order."
        />
      ) : (
        <section className={classes.fillFrame} aria-label="To produce by day" tabIndex={0}>
          <table className={classes.phased}>
            <thead>
              <tr>
                <th scope="col">Product</th>
                {figures.map(({ id, label }) => (
                  <th key={id} scope="col">
                    {label}
                  </th>
                ))}
                {plan.dates.map((date) => (
                  <th key={date} scope="col" title={day(date)}>
                    {shortDay(date)}
                  </th>
                ))}
                <th scope="col">In all</th>
              </tr>
            </thead>
            <tbody>
              {toMake.map((one) => (
                <MakeRow key={one.productId} product={one} figures={figures} dates={plan.dates} />
              ))}
            </tbody>
          </table>
        </section>
      )}
    </>
  );
}

interface MakeProps {
  product: Product;
  figures: ReturnType<typeof figuresOf>;
  dates: string[];
}

function MakeRow({ product, figures, dates }: MakeProps) {
  const total = product.net.reduce((all, value) => all + value, 0);
  const batches = product.batches.reduce<number>((all, value) => all + (value ?? 0), 0);
  const path = recordPath('product', product.productId);
  return (
    <tr>
      <th scope="row">{path ? <Link to={path}>{product.name}</Link> : product.name}</th>
      {figures.map(({ id }) => {
        const value = product[id];
        return (
          <td key={id} className="num" data-zero={value === 0 || undefined}>
            {id === 'short' && value > 0 ? (
              <span className={classes.risk}>{qty(round(value, 1))}</span>
            ) : (
              qty(round(value, 1))
            )}
          </td>
        );
      })}
      {product.net.map((value, i) => {
        const n = product.batches[i];
        return (
          <td
            key={dates[i]}
            className="num"
            data-zero={value === 0 || undefined}
            title={`${qty(round(value))} ${product.unit ?? ''}`}
          >
            {value === 0 ? '·' : qty(round(value, 1))}
            {value !== 0 && n !== null && n !== undefined && (
              <small>{plural(n, 'batch', 'batches')}</small>
            )}
          </td>
        );
      })}
      <td className="num">
        <strong>
          {qty(round(total, 1))} {product.unit}
        </strong>
        <small>
          {product.recipeId
            ? plural(batches, 'batch', 'batches')
            : product.toBuy
              ? `buy ${qty(round(product.toBuy.qty))} ${product.toBuy.unit}`
              : 'no recipe'}
        </small>
      </td>
    </tr>
  );
}

const INGREDIENTS: readonly Column<Ingredient>[] = [
  { id: 'name', label: 'Ingredient', primary: true, value: ({ name }) => name },
  {
    id: 'needed',
    label: 'Needed',
    width: 120,
    value: ({ needed }) => round(needed),
    number: qty,
    phone: 'sub',
  },
  {
    id: 'onHand',
    label: 'On hand',
    width: 120,
    value: ({ onHand }) => round(onHand),
    number: qty,
    phone: 'sub',
  },
  {
    id: 'toBuy',
    label: 'To buy',
    width: 120,
    value: ({ toBuy }) => round(toBuy),
    cell: ({ toBuy }) => (
      <span className={toBuy > 0 ? classes.risk : undefined}>{qty(round(toBuy))}</span>
    ),
    align: 'right',
    phone: 'end',
    unit: ({ unit }) => unit,
  },
  { id: 'unit', label: 'Unit', width: 90, value: ({ unit }) => unit, muted: true, phone: 'none' },
  {
    id: 'order',
    label: 'Buy',
    width: 140,
    value: ({ order }) => (order ? `${qty(round(order.qty))} ${order.unit}` : null),
    phone: 'sub',
  },
  {
    id: 'for',
    label: 'Goes into',
    width: 220,
    value: ({ goesInto }) => goesInto.join(', '),
    muted: true,
    phone: 'sub',
  },
];
