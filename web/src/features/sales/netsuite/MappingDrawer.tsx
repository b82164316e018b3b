import { ActionIcon, Button, NativeSelect, TextInput } from '@mantine/core';
import { IconChevronDown, IconChevronUp, IconX } from '@tabler/icons-react';
import { useEffect, useState } from 'react';
import { Problem } from '#/api/problem';
import { DrawerForm } from '#/form/DrawerForm';
import { SaveButtons } from '#/form/SaveButtons';
import { SaveProblem } from '#/form/SaveProblem';
import { useBaseRecord } from '#/form/useBaseRecord';
import { useSave } from '#/form/useSave';
import { compare } from '#/form/versions';
import { DrawerFrame } from '#/ui/DrawerFrame';
import { ErrorBox } from '#/ui/ErrorBox';
import { NumericInput } from '#/ui/NumericInput';
import {
  FIELDS,
  type Field,
  LAYOUTS,
  type Layout,
  type Mapping,
  saveMapping,
  useDays,
  useMapping,
  usePreview,
} from './api';
import classes from './Netsuite.module.css';
import { Rows } from './PreviewDrawer';

interface Props {
  layout: Layout;
  /** Where to look for a sample day. */
  range: { from: string; to: string };
  onClose(): void;
}

/** The columns and texts of a layout, next to a preview of a day. */
export function MappingDrawer(props: Props) {
  const { data, error } = useMapping(props.layout);
  const { base, onDirty } = useBaseRecord<Mapping | undefined>(data?.mapping);
  const name = LAYOUTS.find(({ value }) => value === props.layout)?.label ?? '';
  return (
    <DrawerFrame opened title={`Columns, ${name}`} size={760} onClose={props.onClose}>
      {base ? (
        <Form key={base.revision} kept={base} onDirty={onDirty} {...props} />
      ) : error ? (
        <ErrorBox>{Problem.of(error).message}</ErrorBox>
      ) : (
        <output>Loading…</output>
      )}
    </DrawerFrame>
  );
}

const TAXES = [
  ['vat', 'VATable'],
  ['exempt', 'VAT-exempt'],
  ['zeroRated', 'Zero-rated'],
  ['none', 'Not a sale'],
] as const;

const LABELS = {
  columns: 'Columns',
  dates: 'Dates',
  dueDays: 'Days until due',
  taxCodes: 'Tax codes',
  names: 'In NetSuite',
};

/** A mapping as texts, to compare two versions. */
const shown = ({ columns, dates, dueDays, taxCodes, names }: Mapping) => ({
  columns: columns.map(({ title, field, value }) =>
    value ? `${title}: ${value}` : `${title}: ${field}`,
  ),
  dates,
  dueDays,
  taxCodes: Object.values(taxCodes ?? {}),
  names: Object.values(names ?? {}),
});

interface FormProps extends Props {
  kept: Mapping;
  onDirty(dirty: boolean): void;
}

function Form({ kept, layout, range, onDirty, onClose }: FormProps) {
  const [mapping, setMapping] = useState<Mapping>(kept);
  useEffect(() => onDirty(mapping !== kept), [mapping, kept, onDirty]);
  const saving = useSave<Mapping>({ revision: kept.revision });
  const days = useDays({ ...range, layout });
  const sample = days.data?.items.findLast(({ lines }) => lines > 0);
  const ask = sample ? { storeId: sample.storeId, date: sample.date, layout } : null;
  const preview = usePreview(ask, mapping);
  const error = (field: string) => saving.errorOf(`mapping.${field}`);
  const { columns } = mapping;
  const set = (by: Partial<Mapping>) => setMapping((now) => ({ ...now, ...by }));
  const change = (at: number, by: Partial<Mapping['columns'][number]>) =>
    set({ columns: columns.map((one, i) => (i === at ? { ...one, ...by } : one)) });
  const move = (at: number, by: number) => {
    const next = [...columns];
    const [one] = next.splice(at, 1);
    if (one) next.splice(at + by, 0, one);
    set({ columns: next });
  };

  const save = () =>
    void saving.run((revision) => saveMapping(layout, { ...mapping, revision: revision ?? 0 }), {
      said: 'Columns saved',
      onSaved: onClose,
    });

  return (
    <DrawerForm
      shortcut
      onSubmit={save}
      buttons={
        <SaveButtons busy={saving.busy} onCancel={onClose}>
          Save columns
        </SaveButtons>
      }
    >
      <div className={classes.form}>
        <SaveProblem
          save={saving}
          of="all"
          versions={(theirs) => compare(LABELS, shown(mapping), shown(theirs))}
          onTheirs={(theirs) => {
            setMapping(theirs);
            saving.setProblem(null);
          }}
        />
        {error('columns') && <ErrorBox>{error('columns')}</ErrorBox>}
        <ul className={classes.columns}>
          {columns.map(({ title, field, value }, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: names are edited, so the index is the only key
            <li key={at}>
              <TextInput
                size="xs"
                aria-label={`Name of column ${at + 1}`}
                value={title}
                error={error(`columns.${at}.title`)}
                onChange={(event) => change(at, { title: event.currentTarget.value })}
              />
              <NativeSelect
                size="xs"
                aria-label={`Content of ${title}`}
                data={[...FIELDS]}
                value={field}
                onChange={(event) => change(at, { field: event.currentTarget.value as Field })}
              />
              {field === 'constant' ? (
                <TextInput
                  size="xs"
                  aria-label={`Words in ${title}`}
                  value={value}
                  error={error(`columns.${at}.value`)}
                  onChange={(event) => change(at, { value: event.currentTarget.value })}
                />
              ) : (
                <span />
              )}
              <ActionIcon.Group>
                <ActionIcon
                  variant="default"
                  aria-label={`${title} further left`}
                  disabled={at === 0}
                  onClick={() => move(at, -1)}
                >
                  <IconChevronUp size={15} aria-hidden />
                </ActionIcon>
                <ActionIcon
                  variant="default"
                  aria-label={`${title} further right`}
                  disabled={at === columns.length - 1}
                  onClick={() => move(at, 1)}
                >
                  <IconChevronDown size={15} aria-hidden />
                </ActionIcon>
                <ActionIcon
                  variant="default"
                  aria-label={`Remove ${title}`}
                  onClick={() => set({ columns: columns.filter((_, i) => i !== at) })}
                >
                  <IconX size={15} aria-hidden />
                </ActionIcon>
              </ActionIcon.Group>
            </li>
          ))}
        </ul>
        <Button
          size="xs"
          variant="default"
          onClick={() =>
            set({ columns: [...columns, { title: '', field: 'constant', value: '' }] })
          }
        >
          Add a column
        </Button>
        <div className={classes.pair}>
          <NativeSelect
            label="Dates"
            data={[
              { value: 'mdy', label: '10/31/2026' },
              { value: 'dmy', label: '31/10/2026' },
              { value: 'ymd', label: '2026-10-31' },
            ]}
            value={mapping.dates}
            onChange={(event) => set({ dates: event.currentTarget.value as Mapping['dates'] })}
          />
          {layout === 'invoice' && (
            <NumericInput
              reads="whole"
              label="Days until due"
              min={0}
              max={365}
              value={mapping.dueDays}
              error={error('dueDays')}
              onChange={(days) => set({ dueDays: days as number })}
            />
          )}
        </div>
        {layout !== 'journalEntry' && (
          <div className={classes.pair}>
            {TAXES.map(([kind, label]) => (
              <TextInput
                key={kind}
                label={`Tax code, ${label}`}
                value={mapping.taxCodes?.[kind] ?? ''}
                onChange={(event) =>
                  set({ taxCodes: { ...mapping.taxCodes, [kind]: event.currentTarget.value } })
                }
              />
            ))}
          </div>
        )}
        <h3>{layout === 'journalEntry' ? 'Accounts' : 'Items'} in NetSuite</h3>
        <div className={classes.pair}>
          {Object.entries(mapping.names ?? {}).map(([kind, name]) => (
            <TextInput
              key={kind}
              label={kind.replace(/([A-Z])/g, ' $1').replace(/^./, (first) => first.toUpperCase())}
              value={name}
              error={error(`names.${kind}`)}
              onChange={(event) =>
                set({ names: { ...mapping.names, [kind]: event.currentTarget.value } })
              }
            />
          ))}
        </div>
        <h3>How a day looks</h3>
        {preview.data ? (
          <Rows preview={preview.data} />
        ) : (
          <p className={classes.none}>No day of this range has a verified Z-reading to show.</p>
        )}
      </div>
    </DrawerForm>
  );
}
