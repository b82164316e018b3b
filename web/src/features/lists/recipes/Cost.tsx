import { useMemo } from 'react';
import { useNameOf } from '#/api/names';
import type { FormValues } from '#/form/types';
import { money } from '#/ui/format';
import { useRootPrices } from '../rootPrices';
import classes from './Cost.module.css';
import { batchCost } from './costs';

/** What the batch costs, while it is typed. */
export function Cost({ values }: { values: FormValues }) {
  const roots = useRootPrices();
  const unit = useNameOf('uoms').get(String(values.yieldUomId ?? ''))?.name;
  const prices = useMemo(
    () => new Map([...(roots ?? [])].map(([id, { price }]) => [id, price])),
    [roots],
  );
  const { cost, unitCost, missing, lines } = batchCost(values, prices);
  if (!roots || lines === 0) return null;
  return (
    <section className={classes.cost} aria-label="Cost" aria-live="polite">
      <dl className={classes.figures}>
        <div>
          <dt>Batch cost</dt>
          <dd className="num">{money(cost)}</dd>
        </div>
        <div>
          <dt>{unit ? `Cost of 1 ${unit}` : 'Unit cost'}</dt>
          <dd className="num">{money(unitCost)}</dd>
        </div>
      </dl>
      {unitCost === null && <p>Enter a yield to see what one unit costs.</p>}
      {missing.length > 0 && (
        <p data-warn>
          Not counted, because without a price:{' '}
          {missing.map((id) => roots.get(id)?.name ?? id).join(', ')}.
        </p>
      )}
    </section>
  );
}
