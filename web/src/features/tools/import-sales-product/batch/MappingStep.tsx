import { Button, Select, Switch } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { useRef, useState } from 'react';
import { useCan } from '#/api/session';
import { type DateFormat, readDate } from '#/imports/dateFormats';
import { useMapping } from '#/imports/useMapping';
import { DateFormatSelect, DecimalMark, Option } from '#/imports/Written';
import { DateField } from '#/ui/DateField';
import { today } from '#/ui/dates';
import { plural, qty, day as spelled } from '#/ui/format';
import { Panel } from '#/ui/Page';
import { Segments } from '#/ui/Segments';
import { useLostFocus } from '#/ui/useLostFocus';
import { salesApi } from '../api';
import {
  assign,
  dateReading,
  FIELD_GROUPS,
  FIELDS,
  type Meaning,
  maybeQuantity,
  meaningAt,
  missing,
  nameOf,
  onSheet,
  proposed,
  storeSource,
} from '../mapping';
import { answered, layoutAsks, openAsks, reconciled } from '../questions';
import type { Batch, Layout, Mapping } from '../types';
import classes from './MappingStep.module.css';
import { ProductColumns, QuantityQuestion } from './OwnQuestions';
import { Questions } from './Questions';
import { StoreOfFile } from './StoreOfFile';

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
  const form = useRef<HTMLFormElement>(null);
  const { busy, refused, send } = useMapping();
  useLostFocus(form, firstStop);
  if (!layout || !mapping) return null;
  const change = (part: Partial<Mapping>) =>
    setMapping(reconciled({ ...mapping, ...part }, layout));
  const todo = missing(mapping, layout);
  const asks = layoutAsks(layout, mapping);
  const answers = mapping.answers ?? {};
  const open = openAsks(asks, answers).length;
  const exceptions = FIELDS.flatMap(({ value, label }) => {
    const mark = mapping.decimals?.[value];
    return mark && mark !== mapping.decimal ? `${label} (1234${mark}50)` : [];
  });
  const ready = todo.length === 0 && mayImport;
  const isProduct = new Set(mapping.products?.map(({ column }) => column));
  const tenders = new Map(mapping.tenders?.map(({ column, name }) => [column, name]));
  const own = layout.columns.filter(({ index }) => !isProduct.has(index));
  const isUsed = (index: number) => meaningAt(mapping, index) !== null || tenders.has(index);
  // A till's export has fifty columns; those that say nothing here wait behind a button.
  const quiet = !all && own.length > MANY;
  const maybe = new Set(maybeQuantity(layout, mapping).map(({ index }) => index));
  const shown = quiet ? own.filter(({ index }) => isUsed(index) || maybe.has(index)) : own;
  const hidden = own.length - shown.length;
  const goOn = () => ready && !busy && form.current?.requestSubmit();

  return (
    <form
      ref={form}
      className={classes.form}
      onSubmit={(event) => {
        event.preventDefault();
        void send(async () => onMapped(await salesApi.map(batch.id, mapping)));
      }}
    >
      {layout.productColumns && layout.productColumns.length > 0 && (
        <ProductColumns layout={layout} mapping={mapping} onChange={change} />
      )}
      <Questions
        asks={asks}
        answers={answers}
        partial={typeof layout.rows !== 'number'}
        readOnly={!mayImport}
        onAnswer={(ask, choice) => setMapping(answered(mapping, ask, choice))}
        onContinue={goOn}
      />
      <WholeFile layout={layout} mapping={mapping} onChange={change} />
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
          {shown.map((column) => (
            <ColumnCard
              key={column.index}
              column={column}
              layout={layout}
              mapping={mapping}
              tender={tenders.get(column.index)}
              onChange={change}
            />
          ))}
        </div>
        {hidden > 0 && (
          <Button size="xs" variant="subtle" mt={10} onClick={() => setAll(true)}>
            More columns ({hidden} not used)
          </Button>
        )}
        <QuantityQuestion layout={layout} mapping={mapping} onChange={change} />
      </Panel>

      <Panel title="How is it written?">
        <div className={classes.options}>
          {mapping.columns.date !== undefined && (
            <DateChoice
              layout={layout}
              mapping={mapping}
              asked={asks.some(({ id }) => id === 'dateOrder')}
              onChoose={(dateFormat) => change({ dateFormat })}
            />
          )}
          <div>
            <DecimalMark
              value={mapping.decimal}
              onChange={(decimal) => change({ decimal, decimals: {} })}
            />
            {exceptions.length > 0 && (
              <p className={classes.hint}>Other than this: {exceptions.join(', ')}</p>
            )}
          </div>
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
              onChange={(sheet) => change(onSheet(layout, mapping, sheet))}
            />
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
        {open > 0 && (
          <span className={classes.open}>
            {plural(open, 'question is', 'questions are')} open: the rows are checked with the
            suggestions, and nothing is posted before you answer.
          </span>
        )}
        <Button type="submit" loading={busy} disabled={!ready}>
          Check every row
        </Button>
      </div>
    </form>
  );
}

/** What a keyboard needs first: a day or store to give, a question, or else the button that goes on. */
const STOPS = ['[data-missing] input', '[data-open] button', 'button[type=submit]:enabled'];

function firstStop(form: HTMLElement): HTMLElement | null {
  const found = STOPS.map((stop) => form.querySelector<HTMLElement>(stop));
  return found.find((one) => one !== null) ?? null;
}

interface ColumnProps {
  column: Layout['columns'][number];
  layout: Layout;
  mapping: Mapping;
  /** The way of paying that the column is. */
  tender?: string;
  onChange(part: Partial<Mapping>): void;
}

/** A column of the file: its heading, its meaning, and its first cells. */
function ColumnCard({ column, layout, mapping, tender, onChange }: ColumnProps) {
  const { index, header, samples, sum } = column;
  const name = nameOf(column, mapping.hasHeader, layout.columns);
  const meaning = meaningAt(mapping, index);
  return (
    <div className={classes.column} data-used={meaning ? true : undefined}>
      <div className={classes.header}>{name}</div>
      {tender !== undefined ? (
        <TenderChoice
          name={tender}
          header={header}
          onClear={() =>
            onChange({ tenders: mapping.tenders?.filter((other) => other.column !== index) })
          }
        />
      ) : (
        <Select
          aria-label={`Meaning of ${name}`}
          value={meaning}
          data={FIELD_GROUPS.map(({ group, items }) => ({ group, items: [...items] }))}
          searchable={layout.columns.length > 12}
          placeholder="Not used"
          clearable
          clearButtonProps={{ 'aria-label': `Do not use ${name}` }}
          onChange={(value) => onChange(assign(mapping, index, value as Meaning | null))}
        />
      )}
      <ul className={classes.samples}>
        {samples.slice(0, 4).map((sample, i) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: samples may repeat
          <li key={i}>{sample || '\u00a0'}</li>
        ))}
      </ul>
      {typeof sum === 'number' && SUMMED.has(meaning) && (
        <p className={classes.sum}>Adds up to {qty(sum)}</p>
      )}
    </div>
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
const SUMMED: ReadonlySet<Meaning | null> = new Set([null, 'quantity', 'net', 'discount']);

interface DateProps {
  layout: Layout;
  mapping: Mapping;
  onChange(part: Partial<Mapping>): void;
}

/** What no column says of any row: the day, the store. It is asked first, since nothing is checked without it. */
function WholeFile({ layout, mapping, onChange }: DateProps) {
  const { date, store } = mapping.columns;
  const storeFrom = storeSource(layout, mapping);
  const wanted = [date === undefined && 'day', store === undefined && 'store'].filter(Boolean);
  if (wanted.length === 0) return null;
  return (
    <Panel title={`Which ${wanted.join(' and which ')}?`}>
      <div className={classes.options}>
        {date === undefined && <DayChoice layout={layout} mapping={mapping} onChange={onChange} />}
        {store === undefined && (
          <div className={classes.store} data-missing={!mapping.store?.fixed || undefined}>
            <StoreOfFile
              value={mapping.store?.fixed ?? null}
              onChange={(id) => onChange({ store: id ? { fixed: id } : null })}
            />
            {storeFrom && <p className={classes.reads}>Proposed from {storeFrom}.</p>}
          </div>
        )}
      </div>
    </Panel>
  );
}

/** The one day of a file without a date column. */
function DayChoice({ layout, mapping, onChange }: DateProps) {
  const proposal = layout.suggestion?.day ?? '';
  return (
    <div className={classes.date} data-missing={!mapping.day || undefined}>
      <DateField
        label="The file is of one day"
        withAsterisk
        value={mapping.day ?? ''}
        max={today()}
        onChange={(day) => onChange({ day: day || null })}
      />
      <p className={classes.reads}>
        {proposal && mapping.day === proposal
          ? `Proposed from the file’s title or name: ${spelled(proposal)}.`
          : 'No column is the date, so all rows are of this day.'}
      </p>
    </div>
  );
}

interface DateChoiceProps {
  layout: Layout;
  mapping: Mapping;
  /** Whether a question of its own asks which order it is. */
  asked: boolean;
  onChoose(format: DateFormat): void;
}

function DateChoice({ layout, mapping, asked, onChoose }: DateChoiceProps) {
  const column = mapping.columns.date;
  const found = dateReading(layout, mapping);
  const raw =
    found?.example.raw ?? layout.columns.find(({ index }) => index === column)?.samples[0];
  const reads = raw && readDate(raw, mapping.dateFormat);
  const unsure = found && !found.certain && !asked;
  return (
    <div className={classes.date}>
      <DateFormatSelect value={mapping.dateFormat} onChange={onChoose} />
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
