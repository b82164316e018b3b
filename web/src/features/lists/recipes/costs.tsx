// The cost of a batch: from the server in the table, computed in the form.
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { request } from '#/api/client';
import { useNamesOf } from '#/api/names';
import type { components } from '#/api/schema.gen';
import type { FormValues, SubRow } from '#/form/types';
import type { Column } from '#/table/types';
import { amount } from '#/ui/format';
import { numberOf } from '#/ui/numberInput';
import { costOf, divideRounded } from '../rootPrices';

export type Recipe = components['schemas']['Recipe'];

export interface RecipeCost {
  recipeId: string;
  cost: number;
  unitCost?: number | null;
  /** Root items that have no price. */
  missing: string[];
}

const NAMES = ['root-items', 'uoms'] as const;

export function useCostColumns(): readonly Column<Recipe>[] {
  const { data } = useQuery({
    // The key starts like that of root items, so that a new price refetches costs.
    queryKey: ['lists', 'recipes', 'costs'],
    queryFn: ({ signal }) => request('GET', '/api/lists/recipes/costs', { signal }),
  });
  const nameOf = useNamesOf(NAMES);
  return useMemo(() => {
    const costs = new Map(data?.map((cost) => [cost.recipeId, cost]));
    const costCell = (id: string, value: number | null | undefined, unit?: string | null) => {
      const text = `${amount(value)}${unit && value != null ? ` / ${unit}` : ''}`;
      const missing = costs.get(id)?.missing ?? [];
      if (missing.length === 0) return <span>{text}</span>;
      const names = missing.map((root) => nameOf('root-items', root) || root).join(', ');
      return <span title={`Without the price of ${names}`}>{text} *</span>;
    };
    return [
      {
        id: 'cost',
        label: 'Batch cost (₱)',
        value: ({ id }) => costs.get(id)?.cost,
        cell: ({ id }) => costCell(id, costs.get(id)?.cost),
        align: 'right',
        width: 115,
        title: 'Marked * where a root item has no price.',
        phone: 'none',
      },
      {
        id: 'unitCost',
        label: 'Unit cost (₱)',
        value: ({ id }) => costs.get(id)?.unitCost,
        cell: ({ id, yieldUomId }) =>
          costCell(id, costs.get(id)?.unitCost, nameOf('uoms', yieldUomId)),
        align: 'right',
        width: 150,
        title: 'The batch’s cost, divided by its yield.',
        phone: 'end',
      },
    ];
  }, [data, nameOf]);
}

export interface BatchCost {
  /** In pesos, of the items whose price is known. */
  cost: number;
  unitCost: number | null;
  missing: string[];
  lines: number;
}

/** Computed in centavos and millionths, as on the server; each line rounds half away from zero. */
export function batchCost(
  values: FormValues,
  prices: ReadonlyMap<string, number | null>,
): BatchCost {
  const { centavos, missing, lines } = costOf(
    ((values.rootItems ?? []) as SubRow[]).map(({ rootItemId, qty }) => ({
      root: rootItemId,
      amount: qty,
    })),
    prices,
  );
  const yields = numberOf(String(values.yieldQty ?? ''), 'divisible');
  const unit =
    yields !== null && yields > 0
      ? divideRounded(centavos * 1_000_000n, BigInt(Math.round(yields * 1e6)))
      : null;
  return {
    cost: Number(centavos) / 100,
    unitCost: unit === null ? null : Number(unit) / 100,
    missing,
    lines,
  };
}
