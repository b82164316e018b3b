// Prices of root items, for the cost of what is made of them.
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { request } from '#/api/client';
import type { components } from '#/api/schema.gen';
import { type NumberKind, numberOf } from '#/ui/numberInput';

type RootItem = components['schemas']['RootItem'];

/** A root item, hidden ones included. */
export interface Priced {
  name: string;
  price: number | null;
}

/** Root items by id and by code, since some lines use codes; null while loading. */
export function useRootPrices(): ReadonlyMap<string, Priced> | null {
  const { data } = useQuery({
    // The key starts like that of root items, so that a new price refetches this.
    queryKey: ['lists', 'root-items', 'prices'],
    queryFn: async ({ signal }) =>
      (
        await request('GET', '/api/lists/root-items', {
          query: { pageSize: 'all', includeHidden: true },
          signal,
        })
      ).items,
  });
  return useMemo(() => {
    if (!data) return null;
    const priced = ({ name, price }: RootItem): Priced => ({ name, price: price ?? null });
    const byCode = data.flatMap((item): [string, Priced][] =>
      item.rootProductId ? [[item.rootProductId, priced(item)]] : [],
    );
    return new Map([...byCode, ...data.map((item): [string, Priced] => [item.id, priced(item)])]);
  }, [data]);
}

export interface Line {
  root: string | null | undefined;
  /** The quantity as typed. */
  amount: string | null | undefined;
}

export interface Costs {
  centavos: bigint;
  /** Root items without a price. */
  missing: string[];
  lines: number;
}

const BILLION = 1_000_000_000n;
const scaled = (value: number, by: number) => BigInt(Math.round(value * by));

/** Half away from zero; both are positive here. */
export const divideRounded = (a: bigint, b: bigint) => (b === 0n ? 0n : (a * 2n + b) / (b * 2n));

/** Computed in centavos, as on the server; each line rounds half away from zero. */
export function costOf(
  lines: readonly Line[],
  prices: ReadonlyMap<string, number | null>,
  reads: NumberKind = 'divisible',
): Costs {
  const costs: Costs = { centavos: 0n, missing: [], lines: 0 };
  for (const { root, amount } of lines) {
    const much = numberOf(amount ?? '', reads);
    if (!root || much === null || much <= 0) continue;
    costs.lines += 1;
    const price = prices.get(root);
    if (price === null || price === undefined) {
      if (!costs.missing.includes(root)) costs.missing.push(root);
    } else {
      costs.centavos += divideRounded(scaled(much, 1e9) * scaled(price, 100), BILLION);
    }
  }
  return costs;
}
