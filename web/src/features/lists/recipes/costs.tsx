// What a batch costs: in the table as the server reckons it, in the form while it is typed.
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { request } from '#/api/client';
import { useNamesOf } from '#/api/names';
import type { components } from '#/api/schema.gen';
import type { FormValues, SubRow } from '#/form/types';
import type { Column } from '#/table/types';
import { amount, parseDecimal } from '#/ui/format';

export type Recipe = components['schemas']['Recipe'];

export interface RecipeCost {
  recipeId: string;
  cost: number;
  unitCost?: number | null;
  /** Root items that have no price. */
  missing: string[];
}

const NAMES = ['root-items'] as const;

export function useCostColumns(): readonly Column<Recipe>[] {
  const { data } = useQuery({
    // Below «lists root-items» too: a new price is a new cost.
    queryKey: ['lists', 'recipes', 'costs'],
    queryFn: ({ signal }) => request<RecipeCost[]>('GET', '/api/lists/recipes/costs', { signal }),
  });
  const nameOf = useNamesOf(NAMES);
  return useMemo(() => {
    const costs = new Map(data?.map((cost) => [cost.recipeId, cost]));
    const said = (id: string, value: number | null | undefined) => {
      const missing = costs.get(id)?.missing ?? [];
      if (missing.length === 0) return <span>{amount(value)}</span>;
      const names = missing.map((root) => nameOf('root-items', root) || root).join(', ');
      return <span title={`Without the price of ${names}`}>{amount(value)} *</span>;
    };
    return [
      {
        id: 'cost',
        label: 'Batch cost (₱)',
        value: ({ id }) => costs.get(id)?.cost,
        cell: ({ id }) => said(id, costs.get(id)?.cost),
        align: 'right',
        width: 115,
        title: 'Marked * where a root item has no price.',
        phone: 'none',
      },
      {
        id: 'unitCost',
        label: 'Unit cost (₱)',
        value: ({ id }) => costs.get(id)?.unitCost,
        cell: ({ id }) => said(id, costs.get(id)?.unitCost),
        align: 'right',
        width: 115,
        title: 'The batch’s cost, divided by its yield.',
        phone: 'end',
      },
    ];
  }, [data, nameOf]);
}

export interface Reckoned {
  /** In pesos, of the items whose price is known. */
  cost: number;
  unitCost: number | null;
  missing: string[];
  lines: number;
}

const MILLION = 1_000_000n;

/** Counted in whole centavos and millionths, as the server does; a line rounds half away from zero. */
export function reckon(values: FormValues, prices: ReadonlyMap<string, number | null>): Reckoned {
  let centavos = 0n;
  let lines = 0;
  const missing: string[] = [];
  for (const row of (values.rootItems ?? []) as SubRow[]) {
    const qty = parseDecimal(row.qty ?? '');
    if (!row.rootItemId || qty === null || qty <= 0) continue;
    lines += 1;
    const price = prices.get(row.rootItemId);
    if (price === null || price === undefined) {
      if (!missing.includes(row.rootItemId)) missing.push(row.rootItemId);
      continue;
    }
    centavos += divided(scaled(qty, 1e6) * scaled(price, 100), MILLION);
  }
  const yields = parseDecimal(String(values.yieldQty ?? ''));
  const unit =
    yields !== null && yields > 0 ? divided(centavos * MILLION, scaled(yields, 1e6)) : null;
  return {
    cost: Number(centavos) / 100,
    unitCost: unit === null ? null : Number(unit) / 100,
    missing,
    lines,
  };
}

const scaled = (value: number, by: number) => BigInt(Math.round(value * by));

/** Half away from zero; both are positive here. */
const divided = (a: bigint, b: bigint) => (b === 0n ? 0n : (a * 2n + b) / (b * 2n));
