import { Button, Select, Switch } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { useState } from 'react';
import { useCan } from '#/api/session';
import { RefSelect } from '#/form/FieldInput';
import { readDate } from '#/imports/dateFormats';
import { useMapping } from '#/imports/useMapping';
import { DateFormatSelect, DecimalMark, Option } from '#/imports/Written';
import { count, plural, qty } from '#/ui/format';
import { Panel } from '#/ui/Page';
import { Segments } from '#/ui/Segments';
import { salesApi } from '../api';
import {
  asProducts,
  assign,
  FIELD_GROUPS,
  fieldAt,
  maybeQuantity,
  missing,
  nameOf,
  proposed,
  unfolded,
} from '../mapping';
import type { Batch, Field, Layout, Mapping } from '../types';
import classes from './MappingStep.module.css';
import { Questions } from './Questions';

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
  const [all, setAll] = useState(false);
  const { busy, refused, send } = useMapping();
  if (!layout || !mapping) return null;
  const change = (part: Partial<Mapping>) => setMapping({ ...mapping, ...part });
  const todo = missing(mapping, layout);
  const isProduct = new Set(mapping.products?.map(({ column }) => column));
  const tenders = new Map(mapping.tenders?.map(({ column, name }) => [column, name]));
  const own = layout.columns.filter(({ index }) => !isProduct.has(index));
  const isUsed = (index: number) => fieldAt(mapping, index) !== null || tenders.has(index);
  // A till's export has fifty columns; those that say nothing here wait behind a button.
  const quiet = !all && own.length > MANY;
  const maybe = new Set(maybeQuantity(layout, mapping).map(({ index }) => index));
  const shown = quiet ? own.filter(({ index }) => isUsed(index) || maybe.has(index)) : own;
  const hidden = own.length - shown.length;

  return (
    <form
      className={classes.form}
      onSubmit={(event) => {
        event.preventDefault();
        void send(async () => onMapped(await salesApi.map(batch.id, mapping)));
      }}
    >
      {layout.productColumns && layout.productColumns.length > 0 && (
        <ProductColumns layout={layout} mapping={mapping} onChange={setMapping} />
      )}
      <Questions layout={layout} mapping={mapping} onChange={setMapping} />
      <Panel
        title="What does each column mean?"
        aside={
          layout.rememberedFrom && (
            <span className={classes.hint}>
              {layout.rememberedBy
                ? `Read like “${layout.rememberedFrom}”, confirmed by ${layout.rememberedBy}.`
                : `Read the way “${layout.rememberedFrom}” was.`}
            </span>
          )
        }
      >
        {(layout.differences?.length ?? 0) > 0 && (
          <ul className={classes.differences} aria-label="What is different this time">
            {layout.differences?.map((words) => (
              <li key={words}>{words}</li>
            ))}
          </ul>
        )}
        <div className={classes.columns}>
          {shown.map(({ index, header, samples, sum }) => (
            <div
              key={index}
              className={classes.column}
              data-used={fieldAt(mapping, index) ? true : undefined}
            >
              <div className={classes.header}>
                {(mapping.hasHeader && header) || `Column ${index + 1}`}
              </div>
              {tenders.has(index) ? (
                <TenderChoice
                  name={tenders.get(index) ?? ''}
                  header={header}
                  onClear={() =>
                    change({ tenders: mapping.tenders?.filter(({ column }) => column !== index) })
                  }
                />
              ) : (
                <Select
                  aria-label={`Meaning of ${header || `column ${index + 1}`}`}
                  value={fieldAt(mapping, index)}
                  data={FIELD_GROUPS.map(({ group, items }) => ({ group, items: [...items] }))}
                  searchable={layout.columns.length > 12}
                  placeholder="Not used"
                  clearable
                  clearButtonProps={{
                    'aria-label': `Do not use ${header || `column ${index + 1}`}`,
                  }}
                  onChange={(value) => setMapping(assign(mapping, index, value as Field | null))}
                />
              )}
              <ul className={classes.samples}>
                {samples.slice(0, 4).map((sample, i) => (
                  // biome-ignore lint/suspicious/noArrayIndexKey: samples may repeat
                  <li key={i}>{sample || '\u00a0'}</li>
                ))}
              </ul>
              {typeof sum === 'number' && SUMMED.has(fieldAt(mapping, index)) && (
                <p className={classes.sum}>Adds up to {qty(sum)}</p>
              )}
            </div>
          ))}
        </div>
        {hidden > 0 && (
          <Button size="xs" variant="subtle" mt={10} onClick={() => setAll(true)}>
            More columns ({hidden} not used)
          </Button>
        )}
        <QuantityQuestion layout={layout} mapping={mapping} onChange={setMapping} />
      </Panel>

      <Panel title="How is it written?">
        <div className={classes.options}>
          <DateChoice layout={layout} mapping={mapping} onChange={change} />
          <DecimalMark value={mapping.decimal} onChange={(decimal) => change({ decimal })} />
          {mapping.columns.unitPrice !== undefined && (
            <Option name="The price is">
              <Segments
                label="The price is"
                value={mapping.priceMeans}
                options={[
                  { value: 'unit', label: 'of one' },
                  { value: 'line', label: 'of the line' },
                ]}
                onChange={(priceMeans) => change({ priceMeans })}
              />
            </Option>
          )}
          {!layout.shape?.titles.length && (
            <Switch
              label="The first row names the columns"
              checked={mapping.hasHeader}
              onChange={(event) => change({ hasHeader: event.currentTarget.checked })}
            />
          )}
          {layout.sheets && layout.sheets.length > 1 && !mapping.sheets && (
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
        {mapping.columns.quantity === undefined &&
          !mapping.products?.length &&
          maybeQuantity(layout, mapping).length === 0 && (
            <p className={classes.hint}>No quantity column: each row counts as one.</p>
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

/** More columns than this are not all shown at once. */
const MANY = 14;

/** A column that is one way of paying. */
function TenderChoice({
  name,
  header,
  onClear,
}: {
  name: string;
  header: string;
  onClear(): void;
}) {
  return (
    <div className={classes.tender}>
      <span>Paid by {name}</span>
      <Button
        size="compact-xs"
        variant="subtle"
        onClick={onClear}
        aria-label={`Do not use ${header}`}
      >
        Not used
      </Button>
    </div>
  );
}

/** Columns whose sum tells whether the right one was chosen; an unused one may be what was meant. */
const SUMMED: ReadonlySet<Field | null> = new Set([null, 'quantity', 'net', 'discount']);

interface AskProps {
  layout: Layout;
  mapping: Mapping;
  onChange(mapping: Mapping): void;
}

/** A column of numbers may be the quantity: nobody should find out afterwards. */
function QuantityQuestion({ layout, mapping, onChange }: AskProps) {
  const maybe = maybeQuantity(layout, mapping);
  if (maybe.length === 0) return null;
  const names = maybe.map((column) => `“${nameOf(column)}”`).join(', ');
  return (
    <div
      className={classes.ask}
      data-open={!mapping.eachRowIsOne || undefined}
      role="group"
      aria-label="Quantity"
    >
      <p>
        <strong>How many were sold?</strong> {names} may say it, and no column is the quantity yet.
      </p>
      <div className={classes.answers}>
        {maybe.map((column) => (
          <Button
            key={column.index}
            size="xs"
            variant="default"
            onClick={() =>
              onChange({ ...assign(mapping, column.index, 'quantity'), eachRowIsOne: false })
            }
          >
            {nameOf(column)} is the quantity
            {typeof column.sum === 'number' && ` (${qty(column.sum)} in all)`}
          </Button>
        ))}
        <Button
          size="xs"
          variant={mapping.eachRowIsOne ? 'light' : 'default'}
          aria-pressed={mapping.eachRowIsOne}
          onClick={() => onChange({ ...mapping, eachRowIsOne: !mapping.eachRowIsOne })}
        >
          Each row is one{layout.rows ? ` (${count(layout.rows)} in all)` : ''}
        </Button>
      </div>
    </div>
  );
}

/** A file with one column a product, shown as the lines it would become. */
function ProductColumns({ layout, mapping, onChange }: AskProps) {
  const found = layout.columns.filter(({ index }) => layout.productColumns?.includes(index));
  const names = found.map((column) => nameOf(column));
  const few = names.slice(0, 4).join(', ');
  const answer = mapping.products ? mapping.products.length > 0 : null;
  const lines = unfolded(layout, mapping);
  return (
    <Panel title="Has each product a column of its own?">
      <p className={classes.question}>
        {plural(names.length, 'column')} look like products: {few}
        {names.length > 4 && ` and ${names.length - 4} more`}. Their cells would be the quantities.
      </p>
      <Segments<'yes' | 'no' | ''>
        label="One column a product"
        value={answer === null ? '' : answer ? 'yes' : 'no'}
        options={[
          { value: 'yes', label: 'Yes, each is a product' },
          { value: 'no', label: 'No' },
        ]}
        onChange={(next) => onChange(asProducts(layout, mapping, next === 'yes'))}
      />
      {answer !== false && lines.length > 0 && (
        <table className={classes.unfolded}>
          <caption>How the first rows would be read</caption>
          <thead>
            <tr>
              <th scope="col">Date</th>
              <th scope="col">Store</th>
              <th scope="col">Item</th>
              <th scope="col">Quantity</th>
            </tr>
          </thead>
          <tbody>
            {lines.map(({ date, store, item, quantity }, i) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: lines may repeat
              <tr key={i}>
                <td>{date || '–'}</td>
                <td>{store || '–'}</td>
                <td>{item}</td>
                <td className="num">{quantity}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </Panel>
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
      <DateFormatSelect
        value={mapping.dateFormat}
        onChange={(dateFormat) => onChange({ dateFormat })}
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
