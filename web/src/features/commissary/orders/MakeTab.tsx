import { Button, Skeleton } from '@mantine/core';
import { IconAlertTriangle, IconChefHat, IconPlus } from '@tabler/icons-react';
import { useMemo, useState } from 'react';
import { Link } from 'react-router';
import { Problem } from '#/api/problem';
import { useCan } from '#/api/session';
import { productionDef } from '#/documents/productions';
import { EntryGrid, useGridModel, useStamp } from '#/grid/EntryGrid';
import { GridModel } from '#/grid/model';
import type { GridColumn } from '#/grid/types';
import { recordPath } from '#/records';
import { DataTable } from '#/table/DataTable';
import { clientSource } from '#/table/sources';
import { Toolbar } from '#/table/Toolbar';
import type { TableState } from '#/table/useTableState';
import { EmptyState } from '#/ui/EmptyState';
import { plural, qty } from '#/ui/format';
import { Segments } from '#/ui/Segments';
import { type Ingredient, type NotMade, type ToMake, useProductionList } from '../kitchenOrders';
import { Short } from './columns';
import { seen } from './figures';
import { INGREDIENTS, NOT_MADE } from './makeColumns';
import classes from './Orders.module.css';
import own from './Outputs.module.css';
import { PlanDialog } from './PlanDialog';

interface Props {
  commissaryId: string;
  neededDate: string;
  state: TableState;
}

type View = 'batches' | 'ingredients' | 'others';

/** What the kitchen has to make, over all recipe levels, and its ingredients. */
export function MakeTab({ commissaryId, neededDate, state }: Props) {
  const query = useProductionList(commissaryId, neededDate);
  const may = useCan(productionDef.page, 'create');
  const model = useGridModel(() => new GridModel());
  useStamp(model);
  const [planning, setPlanning] = useState(false);
  const asked = state.get('view');
  const view: View = asked === 'ingredients' || asked === 'others' ? asked : 'batches';
  const { data } = query;
  const columns = useMemo(() => columnsOf(may, model), [may, model]);
  const planned = (data?.items ?? []).flatMap((item) => {
    const batches = model.number(item.productId, 'batches', item.batches);
    return batches !== null && Number.isInteger(batches) && batches > 0 ? [{ item, batches }] : [];
  });
  const wrong = (data?.items ?? []).some((item) => {
    const batches = model.number(item.productId, 'batches', item.batches);
    return batches !== null && (!Number.isInteger(batches) || batches < 0);
  });
  const total = planned.reduce((sum, { batches }) => sum + batches, 0);
  if (query.error && !data)
    return (
      <EmptyState
        icon={IconAlertTriangle}
        role="alert"
        title="What is to be made could not be worked out"
        text={Problem.of(query.error).message}
        action={
          <Button variant="default" onClick={() => void query.refetch()}>
            Try again
          </Button>
        }
      />
    );
  if (!data) return <Skeleton className={classes.frame} radius="md" />;
  const missing = data.ingredients.filter((one) => one.missing > 0).length;

  return (
    <>
      <div className="no-print">
        <Toolbar
          left={
            <Segments<View>
              label="What is shown"
              value={view}
              options={[
                { value: 'batches', label: `Batches ${data.items.length}` },
                {
                  value: 'ingredients',
                  label: missing
                    ? `Ingredients ${data.ingredients.length}, ${missing} missing`
                    : `Ingredients ${data.ingredients.length}`,
                },
                { value: 'others', label: `Not made here ${data.withoutRecipe.length}` },
              ]}
              onChange={(next) => state.set({ view: next === 'batches' ? null : next, q: null })}
            />
          }
          right={
            may &&
            view === 'batches' &&
            data.items.length > 0 && (
              <Button
                size="xs"
                className={classes.act}
                leftSection={<IconPlus size={16} aria-hidden />}
                disabled={total === 0 || wrong}
                onClick={() => setPlanning(true)}
              >
                {total > 0 ? `Plan ${plural(total, 'batch', 'batches')}` : 'Plan batches'}
              </Button>
            )
          }
        />
      </div>
      {view === 'batches' &&
        (data.items.length === 0 ? (
          <EmptyState
            icon={IconChefHat}
            title="Nothing to make"
            text={
              data.withoutRecipe.length > 0
                ? 'No recipe of this kitchen makes what is missing: see «Not made here».'
                : 'What was ordered has been sent, or is on hand or being made.'
            }
          />
        ) : (
          <EntryGrid<ToMake>
            label="To produce"
            rows={data.items}
            rowId={({ productId }) => productId}
            rowName={({ name }) => name}
            columns={columns}
            model={model}
            groupOf={levelOf}
            onSave={() => total > 0 && !wrong && setPlanning(true)}
          />
        ))}
      {view === 'ingredients' && (
        <DataTable<Ingredient>
          bare
          id="kitchen-ingredients"
          title="Ingredients"
          one="ingredient"
          many="ingredients"
          source={clientSource({ ...query, data: data.ingredients })}
          columns={INGREDIENTS}
          rowId={({ rootItemId }) => rootItemId}
          rowLabel={({ name }) => name}
          state={state}
          hrefOf={({ rootItemId }) => recordPath('rootItem', rootItemId) ?? ''}
          empty={{
            title: 'No ingredients are needed',
            text: 'What is on hand and being made covers the orders.',
          }}
        />
      )}
      {view === 'others' && (
        <DataTable<NotMade>
          bare
          id="kitchen-not-made"
          title="Not made here"
          one="product"
          many="products"
          source={clientSource({ ...query, data: data.withoutRecipe })}
          columns={NOT_MADE}
          rowId={({ productId }) => productId}
          rowLabel={({ name }) => name}
          state={state}
          hrefOf={({ productId }) => recordPath('product', productId) ?? ''}
          empty={{
            title: 'Nothing else is missing',
            text: 'Products that are short and have no recipe show here, to be bought.',
          }}
        />
      )}
      {planning && (
        <PlanDialog
          commissaryId={commissaryId}
          neededDate={neededDate}
          planned={planned}
          onPlanned={() => model.clear()}
          onClose={() => setPlanning(false)}
        />
      )}
    </>
  );
}

const levelOf = ({ level }: ToMake) => ({
  id: String(level),
  label:
    level === 0
      ? 'For the orders'
      : level === 1
        ? 'What goes into it'
        : `What goes into that, level ${level}`,
});

function columnsOf(may: boolean, model: GridModel): GridColumn<ToMake>[] {
  const figure = (
    id: string,
    label: string,
    read: (row: ToMake) => number,
    phone: 'sub' | 'none' = 'sub',
  ): GridColumn<ToMake> => ({
    id,
    label,
    width: 92,
    right: true,
    phone,
    cell: (row) => qty(seen(read(row))),
  });
  return [
    {
      id: 'name',
      label: 'Product',
      primary: true,
      cell: ({ productId, name }) => {
        const path = recordPath('product', productId);
        return path ? (
          <Link className={own.name} to={path}>
            {name}
          </Link>
        ) : (
          name
        );
      },
    },
    figure('needed', 'Needed', ({ needed }) => needed),
    figure('onHand', 'On hand', ({ onHand }) => onHand),
    figure('incoming', 'Incoming', ({ incoming }) => incoming, 'none'),
    {
      ...figure('net', 'Missing', ({ net }) => net),
      cell: ({ net }) => <Short value={seen(net)} />,
    },
    { id: 'unit', label: 'Unit', width: 62, phone: 'none', cell: ({ uomCode }) => uomCode },
    {
      id: 'recipe',
      label: 'Recipe',
      width: 210,
      phone: 'none',
      cell: ({ recipeId, recipeName }) => {
        const path = recordPath('recipe', recipeId);
        return path ? (
          <Link className={classes.link} to={path}>
            {recipeName}
          </Link>
        ) : (
          recipeName
        );
      },
    },
    figure('yield', 'A batch', ({ yieldQty }) => yieldQty),
    {
      id: 'batches',
      label: 'Batches',
      width: 96,
      right: true,
      ...(may
        ? {
            edit: {
              kind: 'number' as const,
              reads: () => 'whole' as const,
              value: ({ batches }: ToMake) => batches,
              check: (value: number | null) =>
                value !== null && (!Number.isInteger(value) || value < 0)
                  ? 'Enter whole batches.'
                  : null,
            },
          }
        : { cell: ({ batches }: ToMake) => qty(batches) }),
    },
    figure('makes', 'Makes', (row) => makes(row, model), 'sub'),
  ];
}

/** The output of the typed batches. */
function makes(row: ToMake, model: GridModel): number {
  const batches = model.number(row.productId, 'batches', row.batches);
  return Number.isNaN(batches) ? 0 : (batches ?? 0) * row.yieldQty;
}
