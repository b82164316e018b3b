import { TextInput } from '@mantine/core';
import { RefSelect } from '#/form/FieldInput';
import type { RecordForm } from '#/form/useRecordForm';
import { unitsOfForm } from '../unitForm';
import classes from './BarcodesSection.module.css';
import { Remove, Rows, useRows } from './Rows';

interface Props {
  form: RecordForm['form'];
  errors: Record<string, string>;
  readOnly?: boolean;
}

/** The codes on a product's packs, each with its unit. A scanner's Enter begins the next line. */
export function BarcodesSection({ form, errors, readOnly }: Props) {
  const { rows, add, set, remove } = useRows(form, 'barcodes');
  const { base, selling, others, lines } = unitsOfForm(form.values);
  const known = new Set(
    [base, selling, ...others, ...lines.flatMap(({ from, to }) => [from, to])].filter(
      (id): id is string => id !== null,
    ),
  );
  const usual = base ?? selling;

  function next(): void {
    const at = rows.length;
    add({ code: '', uomId: null });
    requestAnimationFrame(() =>
      document.querySelector<HTMLElement>(`[data-path="barcodes.${at}.code"]`)?.focus(),
    );
  }

  return (
    <Rows
      title="Barcodes"
      hint="Scan or type each code on its packs, with the unit that it is printed on. Scanning it in orders, receiving, picking and counting finds the product."
      addLabel="Add barcode"
      path="barcodes"
      count={rows.length}
      readOnly={readOnly}
      onAdd={next}
    >
      {rows.map((row, i) => {
        const path = (name: string) => `barcodes.${i}.${name}`;
        const unit = { 'data-path': path('uomId'), error: errors[path('uomId')], readOnly };
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: lines have no identity but their place
          <div key={i} className={classes.line}>
            <TextInput
              value={row.code ?? ''}
              aria-label={`Barcode, line ${i + 1}`}
              data-path={path('code')}
              error={errors[path('code')]}
              readOnly={readOnly}
              maxLength={100}
              autoComplete="off"
              classNames={{ input: 'num' }}
              onChange={(event) =>
                set(i, { code: event.currentTarget.value, uomId: row.uomId ?? usual })
              }
              onKeyDown={(event) => {
                if (event.key !== 'Enter' || event.ctrlKey || event.metaKey) return;
                event.preventDefault();
                if (row.code?.trim() && i === rows.length - 1) next();
              }}
            />
            <RefSelect
              of="uoms"
              value={row.uomId ?? null}
              set={(uomId) => set(i, { uomId })}
              only={known}
              withAsterisk
              {...{ ...unit, 'aria-label': `Unit of the barcode, line ${i + 1}` }}
            />
            {!readOnly && <Remove label={`Remove barcode ${i + 1}`} onClick={() => remove(i)} />}
          </div>
        );
      })}
    </Rows>
  );
}
