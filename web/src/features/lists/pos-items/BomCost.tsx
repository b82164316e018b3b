import { useMemo } from 'react';
import type { FormValues, SubRow } from '#/form/types';
import { money } from '#/ui/format';
import { costOf, useRootPrices } from '../rootPrices';
import classes from './BomCost.module.css';

/**
 * The cost of the root items in one POS item. Shows nothing if a price is missing: a partial cost would look complete.
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
  const costs = costOf(lines, prices, 'factor');
  if (!roots || costs.lines === 0 || costs.missing.length > 0) return null;
  return (
    <p className={`${classes.cost} num`} aria-live="polite">
      Root items of one: <strong>{money(Number(costs.centavos) / 100)}</strong>
    </p>
  );
}
