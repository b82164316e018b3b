import { Select, Skeleton } from '@mantine/core';
import { IconAlertTriangle, IconChefHat } from '@tabler/icons-react';
import { useMemo, useRef } from 'react';
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
import { useBusiestKitchen, useKitchenPlan } from './api';
import classes from './Drp.module.css';
import { figuresOf, type Need, needOf, totalOf } from './kitchenFigures';
import { round } from './labels';
import type { Kitchen } from './wire';

type Product = Kitchen['products'][number] & { name: string };
type Ingredient = Kitchen['ingredients'][number] & { name: string };

/** Where a kitchen's open orders stand, what it has to make or buy per day for coming ones, and the ingredients. */
export function KitchenTab({ state }: { state: TableState }) {
  const { data: kitchens = [] } = useNames('commissaries');
  const asked = state.get('commissary');
  const ids = useMemo(() => kitchens.map(({ id }) => id), [kitchens]);
  const busiest = useBusiestKitchen(ids, !asked && ids.length > 1);
  const opened = useRef('');
  // It does not change by itself while the page is open.
  opened.current ||= (ids.length > 1 ? busiest : ids[0]) ?? '';
  const commissaryId = asked || opened.current;
  const query = useKitchenPlan(commissaryId);
  const products = useNameOf('products');
  const roots = useNameOf('root-items');
  const view = state.get('view');
  const buying = view === 'buy';
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
  const need = NEEDS[view] ?? firstNeed(toMake);
  const figures = useMemo(() => figuresOf(toMake), [toMake]);
  const rows = useMemo(() => toMake.filter((one) => needOf(one) === need), [toMake, need]);
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
          value={buying ? 'buy' : VIEWS[need]}
          options={[
            { value: VIEWS.make, label: labelOf('make', toMake) },
            ...(toMake.some((one) => needOf(one) === 'buy')
              ? [{ value: VIEWS.buy, label: labelOf('buy', toMake) }]
              : []),
            ...(toMake.some((one) => needOf(one) === 'none')
              ? [{ value: VIEWS.none, label: labelOf('none', toMake) }]
              : []),
            { value: 'buy', label: `Ingredients${missing ? `, ${missing} to buy` : ''}` },
          ]}
          onChange={(next) => state.set({ view: next, q: null })}
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
      ) : rows.length === 0 ? (
        <EmptyState
          icon={IconChefHat}
          title={EMPTY[need]}
          text="What the kitchen has covers what stores will order."
        />
      ) : (
        <section className={classes.fillFrame} aria-label={`${WORDS[need]} by day`} tabIndex={0}>
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
              {rows.map((one) => (
                <MakeRow key={one.productId} product={one} figures={figures} dates={plan.dates} />
              ))}
            </tbody>
          </table>
        </section>
      )}
    </>
  );
}

/** The `view` of the address; its `buy` are the ingredients. */
const VIEWS: Record<Need, string> = { make: 'make', buy: 'products', none: 'none' };
const NEEDS: Partial<Record<string, Need>> = { make: 'make', products: 'buy', none: 'none' };
const WORDS: Record<Need, string> = { make: 'To produce', buy: 'To buy', none: 'No recipe' };
const EMPTY: Record<Need, string> = {
  make: 'Nothing to produce',
  buy: 'Nothing to buy',
  none: 'Everything has a recipe',
};

/** How many products there is something to do for. */
const todoOf = (need: Need, products: readonly Product[]) =>
  products.filter((one) => needOf(one) === need && totalOf(one) > 0).length;

/** Without a choice: what there is to produce, else what there is to buy. */
const firstNeed = (products: readonly Product[]): Need =>
  todoOf('make', products) === 0 && todoOf('buy', products) > 0 ? 'buy' : 'make';

function labelOf(need: Need, products: readonly Product[]): string {
  const todo = todoOf(need, products);
  return todo > 0 ? `${WORDS[need]} ${todo}` : WORDS[need];
}

interface MakeProps {
  product: Product;
  figures: ReturnType<typeof figuresOf>;
  dates: string[];
}

function MakeRow({ product, figures, dates }: MakeProps) {
  const total = totalOf(product);
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
              : total > 0
                ? 'no recipe'
                : 'nothing to buy'}
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
