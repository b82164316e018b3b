import { useMemo } from 'react';
import type { FormValues, SubRow } from '#/form/types';
import { money } from '#/ui/format';
import { costOf, useRootPrices } from '../rootPrices';
import classes from './BomCost.module.css';

/**
 * What the root items of one cost together. Where a price is missing nothing is said: half a cost
 * would be taken for the whole, and a sum of kilograms, litres and pieces says nothing.
 */
export function BomCost({ values }: { values: FormValues }) {
  const roots = useRootPrices();
  const prices = useMemo(
    () => new Map([...(roots ?? [])].map(([id, { price }]) => [id, price])),
    [roots],
  );
  const lines = ((values.bom ?? []) as SubRow[]).map(({ rootProductId, multiplier }) => ({
    root: rootProductId,
    amount: multiplier,
  }));
  const costs = costOf(lines, prices);
  if (!roots || costs.lines === 0 || costs.missing.length > 0) return null;
  return (
    <p className={`${classes.cost} num`} aria-live="polite">
      Root items of one: <strong>{money(Number(costs.centavos) / 100)}</strong>
    </p>
  );
}
