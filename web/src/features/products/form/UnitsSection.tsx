import { Checkbox, TextInput } from '@mantine/core';
import { useMemo } from 'react';
import { FieldInput, RefSelect } from '#/form/FieldInput';
import type { RecordForm } from '#/form/useRecordForm';
import { inFull } from '#/ui/format';
import { numberField } from '#/ui/numberField';
import { fields } from '../fields';
import { Converter } from '../parts/Converter';
import { UnitGraph } from '../parts/UnitGraph';
import { unitsOfForm } from '../unitForm';
import { FACTOR_PLACES, formatFixed, Units } from '../units';
import { Remove, Rows, useRows } from './Rows';
import classes from './UnitsSection.module.css';

interface Props {
  form: RecordForm['form'];
  errors: Record<string, string>;
  nameOf(unit: string): string;
  readOnly?: boolean;
}

const SIMPLE = ['baseUom', 'defaultSellingUom', 'baseUomWeight', 'baseUomVolume'] as const;

/** The section of a product's units and conversions, with a drawing of how they connect. */
export function UnitsSection({ form, errors, nameOf, readOnly }: Props) {
  const units = useMemo(() => unitsOfForm(form.values), [form.values]);
  const wrong = useMemo(() => wrongLines(errors), [errors]);
  // Fields read their errors from the form; problems found while typing are added.
  const withErrors = (name: string) => ({
    ...form,
    getInputProps: (path: string) => ({
      ...form.getInputProps(path),
      error: errors[name] ?? form.errors[name],
    }),
  });

  return (
    <div className={classes.section}>
      <div className={classes.pair}>
        {SIMPLE.map((name) => {
          const field = fields.find((one) => one.name === name);
          return (
            field && (
              <FieldInput
                key={name}
                field={field}
                form={withErrors(name) as RecordForm['form']}
                readOnly={readOnly}
              />
            )
          );
        })}
      </div>
      <OtherUnits form={form} errors={errors} nameOf={nameOf} readOnly={readOnly} />
      <Conversions form={form} errors={errors} nameOf={nameOf} readOnly={readOnly} />
      {units.lines.length > 0 && (
        <>
          <UnitGraph units={units} nameOf={nameOf} wrong={wrong} />
          <Converter units={units} nameOf={nameOf} />
        </>
      )}
    </div>
  );
}

/** Indexes of wrong lines in the drawing, which leaves out incomplete lines. */
function wrongLines(errors: Record<string, string>): ReadonlySet<number> {
  const found = Object.keys(errors).flatMap((path) => {
    const at = /^conversions\.(\d+)\.factor$/.exec(path)?.[1];
    return at === undefined ? [] : Number(at);
  });
  return new Set(found);
}

function OtherUnits({ form, errors, nameOf, readOnly }: Props) {
  const { rows, add, set, remove } = useRows(form, 'otherUoms');
  const { base, lines } = unitsOfForm(form.values);
  const units = base === null ? null : new Units(base, lines);
  return (
    <Rows
      title="Other units"
      hint="Units it can be ordered and received in, besides the base unit."
      addLabel="Add unit"
      path="otherUoms"
      count={rows.length}
      readOnly={readOnly}
      onAdd={() => add({ uomId: null, whole: 'yes' })}
    >
      {rows.map((row, i) => {
        const worth = row.uomId && base && units?.factor(row.uomId, base);
        const path = `otherUoms.${i}.uomId`;
        const marks = { 'data-path': path, error: errors[path], readOnly };
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: lines have no identity but their place
          <div key={i} className={classes.other}>
            <RefSelect
              of="uoms"
              value={row.uomId ?? null}
              set={(uomId) => set(i, { uomId })}
              {...{ ...marks, 'aria-label': `Other unit, line ${i + 1}` }}
            />
            <Checkbox
              label="Whole packs only"
              aria-label={`Whole packs only, line ${i + 1}`}
              checked={row.whole === 'yes'}
              disabled={readOnly}
              onChange={(event) => set(i, { whole: event.currentTarget.checked ? 'yes' : '' })}
            />
            <span className={`${classes.worth} num`}>
              {worth
                ? `= ${inFull(Number(formatFixed(worth, FACTOR_PLACES)))} ${nameOf(base ?? '')}`
                : ''}
            </span>
            {!readOnly && <Remove label={`Remove unit ${i + 1}`} onClick={() => remove(i)} />}
          </div>
        );
      })}
    </Rows>
  );
}

/** «1 case = how many jars?» */
const example = (base: string) =>
  `One line for each unit: 1 case = how many ${base || 'pieces'}? Or how many packs, if another line says what a pack is.`;

function Conversions({ form, errors, nameOf, readOnly }: Props) {
  const { rows, add, set, remove } = useRows(form, 'conversions');
  const base = (form.values.baseUom as string | null) ?? null;
  const { others, selling, lines } = unitsOfForm(form.values);
  // Suggest base units: most lines convert to them.
  const defined = new Set(lines.flatMap(({ from, to }) => [from, to]));
  const next = [...others, selling].find((unit) => unit && unit !== base && !defined.has(unit));
  return (
    <Rows
      title="Conversions"
      hint={example(base ? nameOf(base) : '')}
      addLabel="Add conversion"
      path="conversions"
      count={rows.length}
      readOnly={readOnly}
      onAdd={() => add({ fromUomId: next ?? null, factor: '', toUomId: base })}
    >
      {rows.map((row, i) => {
        const path = (name: string) => `conversions.${i}.${name}`;
        const wrong = ['fromUomId', 'factor', 'toUomId'].flatMap(
          (name) => errors[path(name)] ?? [],
        );
        const mark = (name: string, label: string) => ({
          'aria-label': label,
          'data-path': path(name),
          error: Boolean(errors[path(name)]),
          'aria-describedby': wrong.length > 0 ? `conversion-${i}-wrong` : undefined,
          readOnly,
        });
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: lines have no identity but their place
          <div key={i} className={classes.line}>
            <div className={classes.conversion}>
              <span className={classes.number}>{i + 1}</span>
              <span className={classes.one} aria-hidden>
                1
              </span>
              <div className={classes.from}>
                <RefSelect
                  of="uoms"
                  value={row.fromUomId ?? null}
                  set={(fromUomId) => set(i, { fromUomId })}
                  {...mark('fromUomId', `One of, line ${i + 1}`)}
                />
              </div>
              <span className={classes.equals} aria-hidden>
                =
              </span>
              <TextInput
                value={row.factor ?? ''}
                {...numberField('factor')}
                classNames={{ input: classes.factor }}
                onChange={(event) => set(i, { factor: event.currentTarget.value })}
                {...mark('factor', `How many, line ${i + 1}`)}
              />
              <div className={classes.to}>
                <RefSelect
                  of="uoms"
                  value={row.toUomId ?? null}
                  set={(toUomId) => set(i, { toUomId })}
                  {...mark('toUomId', `Of, line ${i + 1}`)}
                />
              </div>
              {!readOnly && (
                <Remove label={`Remove conversion ${i + 1}`} onClick={() => remove(i)} />
              )}
            </div>
            {wrong.length > 0 && (
              <p className={classes.wrong} id={`conversion-${i}-wrong`}>
                {wrong.join(' ')}
              </p>
            )}
          </div>
        );
      })}
    </Rows>
  );
}
