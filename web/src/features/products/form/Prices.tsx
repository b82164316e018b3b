import { TextInput } from '@mantine/core';
import { useNames } from '#/api/names';
import type { SubRow } from '#/form/types';
import type { RecordForm } from '#/form/useRecordForm';
import { numberField } from '#/ui/numberField';
import { PageButton } from '#/ui/PageButton';
import classes from './Prices.module.css';

interface Props {
  form: RecordForm['form'];
  errors: Record<string, string>;
  /** The code of the unit a price is for. */
  unit: string;
  readOnly?: boolean;
}

/** One row per price level; without a price the product is not sold at that level. */
export function Prices({ form, errors, unit, readOnly }: Props) {
  const { data: names = [], isPending } = useNames('price-levels');
  const rows = (form.values.priceLevelPrices ?? []) as SubRow[];
  const lost = rows.filter(({ priceLevelId }) => !names.some(({ id }) => id === priceLevelId));
  const levels = [
    ...names,
    ...(isPending ? [] : lost.map(({ priceLevelId }) => ({ id: priceLevelId ?? '', name: '?' }))),
  ];

  function set(level: string, price: string): void {
    const known = rows.some(({ priceLevelId }) => priceLevelId === level);
    const next = known
      ? rows.map((row) => (row.priceLevelId === level ? { ...row, price } : row))
      : [...rows, { priceLevelId: level, price }];
    // Levels without a price are left out of the value, so that clearing a new one leaves the form clean.
    form.setFieldValue(
      'priceLevelPrices',
      next.filter((row) => row.price),
    );
  }

  if (!isPending && levels.length === 0) {
    return (
      <div className={classes.none}>
        <p>No price levels yet.</p>
        <PageButton page="listPriceLevels">Open price levels</PageButton>
      </div>
    );
  }
  return (
    <div>
      <p className={classes.hint}>
        {unit ? `For one ${unit}, the selling unit.` : 'For one selling unit.'} An empty price means
        it is not sold at that level.
      </p>
      <ul className={classes.levels}>
        {levels.map(({ id, name }) => {
          const at = rows.findIndex(({ priceLevelId }) => priceLevelId === id);
          const path = `priceLevelPrices.${at}.price`;
          return (
            <li key={id} className={classes.level}>
              <label htmlFor={`price-${id}`} className={classes.name}>
                {name}
              </label>
              <TextInput
                id={`price-${id}`}
                value={rows[at]?.price ?? ''}
                {...numberField('money')}
                leftSection={<span aria-hidden>₱</span>}
                classNames={{ input: classes.price }}
                readOnly={readOnly}
                data-path={path}
                error={errors[path]}
                onChange={(event) => set(id, event.currentTarget.value)}
              />
            </li>
          );
        })}
      </ul>
    </div>
  );
}
