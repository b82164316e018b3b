import { Button, Select, Switch } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { useState } from 'react';
import { Problem } from '#/api/problem';
import { useCan } from '#/api/session';
import { RefSelect } from '#/form/FieldInput';
import { Panel } from '#/ui/Page';
import { Segments } from '#/ui/Segments';
import { DATE_FORMATS, type DateFormat, readDate } from '../../dateFormats';
import { salesApi } from '../api';
import { assign, FIELDS, fieldAt, missing, proposed } from '../mapping';
import type { Batch, Field, Layout, Mapping } from '../types';
import classes from './MappingStep.module.css';

interface Props {
  batch: Batch;
  onMapped(batch: Batch): void;
}

/** What each column means. The file's own cells stand beside every choice. */
export function MappingStep({ batch, onMapped }: Props) {
  const layout = batch.layout;
  const mayImport = useCan('tools/importSalesProduct', 'import');
  const [mapping, setMapping] = useState<Mapping | null>(() =>
    layout ? proposed(layout, batch.mapping) : null,
  );
  const [busy, setBusy] = useState(false);
  const [refused, setRefused] = useState<string[]>([]);
  if (!layout || !mapping) return null;
  const change = (part: Partial<Mapping>) => setMapping({ ...mapping, ...part });
  const todo = missing(mapping);

  async function submit(): Promise<void> {
    if (!mapping) return;
    setBusy(true);
    setRefused([]);
    try {
      onMapped(await salesApi.map(batch.id, mapping));
    } catch (error) {
      const problem = Problem.of(error);
      const words = problem.fields.map(({ message }) => message);
      setRefused(words.length > 0 ? words : [problem.message]);
      setBusy(false);
    }
  }

  return (
    <form
      className={classes.form}
      onSubmit={(event) => {
        event.preventDefault();
        void submit();
      }}
    >
      <Panel
        title="What does each column mean?"
        aside={
          layout.rememberedFrom && (
            <span className={classes.hint}>Read the way “{layout.rememberedFrom}” was.</span>
          )
        }
      >
        <div className={classes.columns}>
          {layout.columns.map(({ index, header, samples }) => (
            <div
              key={index}
              className={classes.column}
              data-used={fieldAt(mapping, index) ? true : undefined}
            >
              <div className={classes.header}>
                {(mapping.hasHeader && header) || `Column ${index + 1}`}
              </div>
              <Select
                aria-label={`Meaning of ${header || `column ${index + 1}`}`}
                value={fieldAt(mapping, index)}
                data={[...FIELDS]}
                placeholder="Not used"
                clearable
                clearButtonProps={{ 'aria-label': `Do not use ${header || `column ${index + 1}`}` }}
                onChange={(value) => setMapping(assign(mapping, index, value as Field | null))}
              />
              <ul className={classes.samples}>
                {samples.slice(0, 4).map((sample, i) => (
                  // biome-ignore lint/suspicious/noArrayIndexKey: samples may repeat
                  <li key={i}>{sample || '\u00a0'}</li>
                ))}
              </ul>
            </div>
          ))}
        </div>
      </Panel>

      <Panel title="How is it written?">
        <div className={classes.options}>
          <DateChoice layout={layout} mapping={mapping} onChange={change} />
          <div className={classes.option}>
            <span className={classes.name}>Decimal mark</span>
            <Segments
              label="Decimal mark"
              value={mapping.decimal}
              options={[
                { value: '.', label: '1234.50' },
                { value: ',', label: '1234,50' },
              ]}
              onChange={(decimal) => change({ decimal })}
            />
          </div>
          {mapping.columns.unitPrice !== undefined && (
            <div className={classes.option}>
              <span className={classes.name}>The price is</span>
              <Segments
                label="The price is"
                value={mapping.priceMeans}
                options={[
                  { value: 'unit', label: 'of one' },
                  { value: 'line', label: 'of the line' },
                ]}
                onChange={(priceMeans) => change({ priceMeans })}
              />
            </div>
          )}
          <Switch
            label="The first row names the columns"
            checked={mapping.hasHeader}
            onChange={(event) => change({ hasHeader: event.currentTarget.checked })}
          />
          {layout.sheets && layout.sheets.length > 1 && (
            <Select
              label="Sheet"
              value={mapping.sheet ?? layout.sheet ?? null}
              data={layout.sheets}
              allowDeselect={false}
              onChange={(sheet) => change({ sheet: sheet ?? undefined })}
            />
          )}
          {mapping.columns.store === undefined && (
            <div className={classes.store}>
              <RefSelect
                label="The whole file belongs to"
                of="stores"
                withAsterisk
                value={mapping.store?.fixed ?? null}
                set={(id) => change({ store: id ? { fixed: id } : null })}
              />
            </div>
          )}
        </div>
        {mapping.columns.quantity === undefined && (
          <p className={classes.hint}>No quantity column: each line counts as one.</p>
        )}
        {mapping.columns.unitPrice === undefined && mapping.columns.net === undefined && (
          <p className={classes.hint}>
            No price column: quantities are imported, amounts are zero.
          </p>
        )}
      </Panel>

      {[...todo, ...refused].length > 0 && (
        <ul className={classes.todo} role={refused.length > 0 ? 'alert' : undefined}>
          {[...todo, ...refused].map((words) => (
            <li key={words}>{words}</li>
          ))}
        </ul>
      )}
      <div className={classes.foot}>
        <Button type="submit" loading={busy} disabled={todo.length > 0 || !mayImport}>
          Check every row
        </Button>
      </div>
    </form>
  );
}

interface DateProps {
  layout: Layout;
  mapping: Mapping;
  onChange(part: Partial<Mapping>): void;
}

function DateChoice({ layout, mapping, onChange }: DateProps) {
  const column = mapping.columns.date;
  const found =
    layout.dateFormats.find(({ columns }) => column !== undefined && columns.includes(column)) ??
    layout.dateFormats[0];
  const raw =
    found?.example.raw ?? layout.columns.find(({ index }) => index === column)?.samples[0];
  const reads = raw && readDate(raw, mapping.dateFormat);
  const unsure = found && !found.certain;
  return (
    <div className={classes.date}>
      <Select
        label="Dates are written"
        value={mapping.dateFormat}
        data={[...DATE_FORMATS]}
        allowDeselect={false}
        onChange={(value) => value && onChange({ dateFormat: value as DateFormat })}
      />
      {raw && (
        <p className={classes.reads} data-unsure={unsure || undefined}>
          {unsure && <IconAlertTriangle size={15} aria-hidden />}
          <span>
            <code>{raw}</code> reads as <strong>{reads ?? 'no date'}</strong>
            {unsure && '. Is that right? The cells alone do not tell day from month.'}
          </span>
        </p>
      )}
    </div>
  );
}
