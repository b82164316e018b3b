import { Checkbox, Select } from '@mantine/core';
import { useState } from 'react';
import type { Problem } from '#/api/problem';
import { RangeChoice } from '#/ui/DateRange';
import { today } from '#/ui/dates';
import { day } from '#/ui/format';
import { NumericInput } from '#/ui/NumericInput';
import { Segments } from '#/ui/Segments';
import classes from './Builder.module.css';
import {
  begin,
  COMPARES,
  fieldOf,
  labelOf,
  MOST,
  moved,
  parentOf,
  RULES,
  rollingLabel,
  UNITS,
  within,
  withMeasures,
} from './definition';
import { FieldAdd } from './FieldAdd';
import { FilterLine } from './FilterLine';
import { errorOfPart, type ReportPart } from './refusal';
import { Typed } from './Typed';
import type {
  Answer,
  Chart,
  Compare,
  Dataset,
  Datasets,
  Definition,
  Rule,
  TopBy,
  Unit,
} from './types';
import { Line, Part } from './Well';

interface Props {
  datasets: Datasets;
  dataset: Dataset | undefined;
  definition: Definition;
  /** The shown table, for its days. */
  answer: Answer | undefined;
  set(next: Definition): void;
  /** Why the definition was not saved. */
  problem: Problem | null;
  /** Saves a definition by keyboard. */
  onSave(definition: Definition): void;
}

const CHARTS: readonly { value: Chart; label: string }[] = [
  { value: 'bars', label: 'Bars' },
  { value: 'lines', label: 'Lines' },
  { value: 'heat', label: 'Shades' },
  { value: 'none', label: 'None' },
];

/** The parts of a report's definition, for mouse and keyboard. */
export function Panel({ datasets, dataset, definition, answer, set, problem, onSave }: Props) {
  const change = (part: Partial<Definition>) => set({ ...definition, ...part });
  const errorOf = (part: ReportPart) => errorOfPart(problem, definition, part);
  return (
    <div className={classes.panel}>
      {dataset && <Typed {...{ datasets, dataset, definition, set, onSave }} />}
      <Part title="About" hint="What is asked of, and from when to when" error={errorOf('about')}>
        <Select
          label="Data"
          size="xs"
          allowDeselect={false}
          searchable
          maxDropdownHeight={360}
          value={definition.dataset}
          data={datasets.items.map(({ key, label }) => ({ value: key, label }))}
          description={dataset?.about}
          inputWrapperOrder={['label', 'input', 'description']}
          onChange={(key) => {
            const next = datasets.items.find((one) => one.key === key);
            // Another dataset has other fields: only the days stay.
            if (next && key !== definition.dataset) {
              set({ ...begin(next), range: definition.range, chart: definition.chart });
            }
          }}
        />
        <Range datasets={datasets} definition={definition} answer={answer} change={change} />
      </Part>
      {dataset && (
        <>
          <Axis
            part="rows"
            title="Rows"
            error={errorOf('rows')}
            {...{ dataset, definition, change }}
          />
          <Axis
            part="columns"
            title="Columns"
            error={errorOf('columns')}
            {...{ dataset, definition, change }}
          />
          <Figures error={errorOf('measures')} {...{ dataset, definition, set }} />
          <Part title="Filters" hint="What is let through" error={errorOf('filters')}>
            <ul className={classes.lines}>
              {definition.filters.map((filter, at) => (
                <FilterLine
                  // biome-ignore lint/suspicious/noArrayIndexKey: a field may be filtered twice
                  key={`${filter.field}${at}`}
                  definition={definition}
                  field={fieldOf(dataset, filter.field)}
                  filter={filter}
                  at={at}
                  onChange={(next) =>
                    change({ filters: definition.filters.map((one, i) => (i === at ? next : one)) })
                  }
                  onRemove={() =>
                    change({ filters: definition.filters.filter((_, i) => i !== at) })
                  }
                />
              ))}
            </ul>
            <FieldAdd
              label="Add a filter"
              placeholder="Add a filter"
              dataset={dataset}
              disabled={definition.filters.length >= MOST.filters}
              offers={(field) =>
                field.filter &&
                (!field.measure || definition.measures.some((one) => one.field === field.key))
              }
              onAdd={(key) =>
                change({
                  filters: [
                    ...definition.filters,
                    {
                      field: key,
                      op: fieldOf(dataset, key)?.measure ? 'atLeast' : 'is',
                      values: [],
                    },
                  ],
                })
              }
            />
          </Part>
          <Order error={errorOf('order')} {...{ dataset, definition, change }} />
          <Part title="Picture" hint="The chart over the table">
            <Segments<Chart>
              label="Picture"
              value={definition.chart}
              options={CHARTS}
              onChange={(chart) => change({ chart })}
            />
          </Part>
        </>
      )}
    </div>
  );
}

type Change = (part: Partial<Definition>) => void;

/** The key of the last periods, which have no name. */
const ROLLING = 'rolling';
const UNIT_NAMES: Readonly<Record<Unit, string>> = {
  day: 'Days',
  week: 'Weeks',
  month: 'Months',
  quarter: 'Quarters',
  year: 'Years',
};
/** The most periods of a range. */
const MOST_PERIODS = 400;

function Range({
  datasets,
  definition,
  answer,
  change,
}: Pick<Props, 'datasets' | 'definition' | 'answer'> & { change: Change }) {
  const { range } = definition;
  const { named, from, to, last, running } = range;
  const [chosen, setChosen] = useState<Unit>(range.unit ?? 'month');
  const unit = range.unit ?? chosen;
  const known = from && to ? { from, to } : answer && { from: answer.from, to: answer.to };
  const value = known ?? { from: today(), to: today() };
  const rolling = rollingLabel(range);
  const names = datasets.ranges.map(({ key, label }) => ({ key, label, chosen: key === named }));
  const roll = (part: Partial<Definition['range']>) =>
    change({ range: { last, unit, running: running === true, ...part } });
  return (
    <>
      <div className={classes.range}>
        <RangeChoice
          value={value}
          words={known ? `${day(known.from)} – ${day(known.to)}` : ''}
          named={rolling ? [...names, { key: ROLLING, label: rolling, chosen: true }] : names}
          onName={(key) => key !== ROLLING && change({ range: { named: key } })}
          onChange={(next) => change({ range: next })}
        />
      </div>
      <div className={classes.pair}>
        <NumericInput
          reads="whole"
          label="The last"
          size="xs"
          placeholder="How many"
          min={1}
          max={MOST_PERIODS}
          value={last}
          onChange={(next) => {
            if (next !== null && Number.isInteger(next) && next >= 1 && next <= MOST_PERIODS) {
              roll({ last: next });
            } else if (next === null && last != null) {
              change({ range: { named: 'last-4-weeks' } });
            }
          }}
        />
        <Select
          aria-label="Length of the periods"
          size="xs"
          w={104}
          allowDeselect={false}
          value={unit}
          data={UNITS.map((one) => ({ value: one, label: UNIT_NAMES[one] }))}
          onChange={(next) => {
            if (!next) return;
            setChosen(next as Unit);
            if (last != null) roll({ unit: next as Unit });
          }}
        />
        {last != null && (
          <Checkbox
            size="xs"
            label={unit === 'day' ? 'And today' : 'And this one, up to today'}
            checked={running === true}
            onChange={(event) => roll({ running: event.currentTarget.checked })}
          />
        )}
      </div>
    </>
  );
}

interface PartProps {
  error?: string | undefined;
  dataset: Dataset;
  definition: Definition;
  change: Change;
}

function Axis({
  part,
  title,
  error,
  dataset,
  definition,
  change,
}: PartProps & { part: 'rows' | 'columns'; title: string }) {
  const keys = definition[part];
  const used = [...definition.rows, ...definition.columns];
  return (
    <Part
      title={title}
      error={error}
      hint={part === 'rows' ? 'One row for each value' : 'One column for each value'}
    >
      <ul className={classes.lines}>
        {keys.map((key, at) => (
          <Line
            key={key}
            label={labelOf(dataset, key)}
            at={at}
            many={keys.length}
            onMove={(by) => change({ [part]: moved(keys, at, by) })}
            onRemove={() => change({ [part]: keys.filter((one) => one !== key) })}
          />
        ))}
      </ul>
      {keys.length < MOST[part] && (
        <FieldAdd
          label={`Add a field to the ${part}`}
          placeholder={part === 'rows' ? 'Add a row field' : 'Add a column field'}
          dataset={dataset}
          offers={(field) => field[part === 'rows' ? 'row' : 'column'] && !used.includes(field.key)}
          onAdd={(key) => change({ [part]: [...keys, key] })}
        />
      )}
    </Part>
  );
}

function Figures({
  error,
  dataset,
  definition,
  set,
}: Pick<PartProps, 'error' | 'dataset' | 'definition'> & { set(next: Definition): void }) {
  const { measures } = definition;
  const parent = parentOf(definition);
  const ruleLabel = (rule: Rule) =>
    rule === 'parent' && parent ? `Share of ${within(labelOf(dataset, parent))}` : RULES[rule];
  return (
    <Part title="Figures" hint="What the cells hold" error={error}>
      <ul className={classes.lines}>
        {measures.map((measure, at) => {
          const field = fieldOf(dataset, measure.field);
          const label = labelOf(dataset, measure.field);
          return (
            <Line
              // biome-ignore lint/suspicious/noArrayIndexKey: a figure may be shown twice
              key={`${measure.field}${at}`}
              label={label}
              at={at}
              many={measures.length}
              onMove={(by) =>
                set(
                  withMeasures(definition, moved(measures, at, by), (place) =>
                    place === at ? at + by : place === at + by ? at : place,
                  ),
                )
              }
              onRemove={() =>
                set(
                  withMeasures(
                    definition,
                    measures.filter((_, i) => i !== at),
                    (place) => (place === at ? null : place > at ? place - 1 : place),
                  ),
                )
              }
            >
              {field && field.rules.length > 1 && (
                <Select
                  size="xs"
                  aria-label={`How ${label} is calculated`}
                  allowDeselect={false}
                  value={measure.rule}
                  data={field.rules.map((rule) => ({ value: rule, label: ruleLabel(rule) }))}
                  onChange={(rule) =>
                    rule &&
                    set({
                      ...definition,
                      measures: measures.map((one, i) =>
                        i === at ? { ...one, rule: rule as Rule } : one,
                      ),
                    })
                  }
                />
              )}
            </Line>
          );
        })}
      </ul>
      {measures.length < MOST.measures && (
        <FieldAdd
          label="Add a figure"
          placeholder="Add a figure"
          dataset={dataset}
          offers={(field) => field.measure}
          onAdd={(key) =>
            set({ ...definition, measures: [...measures, { field: key, rule: 'sum' }] })
          }
        />
      )}
      {measures.some(({ rule }) => rule === 'change') && (
        <Select
          label="Changes are against"
          size="xs"
          allowDeselect={false}
          value={definition.compare}
          data={Object.entries(COMPARES).map(([value, label]) => ({
            value,
            label: label.charAt(0).toUpperCase() + label.slice(1),
          }))}
          onChange={(next) => next && set({ ...definition, compare: next as Compare })}
        />
      )}
    </Part>
  );
}

function Order({ error, dataset, definition, change }: PartProps) {
  const { sort, top, measures } = definition;
  const parent = parentOf(definition);
  const value = !sort ? 'usual' : sort.measure === null ? 'name' : String(sort.measure);
  return (
    <Part title="Order" hint="Which rows come first, and how many" error={error}>
      <div className={classes.pair}>
        <Select
          label="Sort by"
          size="xs"
          allowDeselect={false}
          value={value}
          data={[
            { value: 'usual', label: 'As usual' },
            { value: 'name', label: 'Name' },
            ...measures.map(({ field, rule }, at) => ({
              value: String(at),
              label: `${labelOf(dataset, field)}${rule === 'sum' ? '' : `, ${RULES[rule].toLowerCase()}`}`,
            })),
          ]}
          onChange={(next) => {
            if (next === 'usual' || next === null) change({ sort: null });
            else if (next === 'name') change({ sort: { measure: null, descending: false } });
            else change({ sort: { measure: Number(next), descending: true } });
          }}
        />
        {sort && (
          <Segments<'down' | 'up'>
            label="Direction"
            value={sort.descending ? 'down' : 'up'}
            options={
              sort.measure === null
                ? [
                    { value: 'up', label: 'A–Z' },
                    { value: 'down', label: 'Z–A' },
                  ]
                : [
                    { value: 'down', label: 'Largest' },
                    { value: 'up', label: 'Smallest' },
                  ]
            }
            onChange={(next) => change({ sort: { ...sort, descending: next === 'down' } })}
          />
        )}
      </div>
      <div className={classes.pair}>
        <NumericInput
          reads="whole"
          label="Only the first"
          size="xs"
          placeholder="All rows"
          min={1}
          max={500}
          value={top?.rows}
          onChange={(next) => {
            if (next === null || !Number.isInteger(next) || next < 1) change({ top: null });
            else {
              const { other = true, by = 'all' } = top ?? {};
              change({ top: { rows: Math.min(500, next), other, by } });
            }
          }}
        />
        {top && parent && (
          <Select
            label="Of"
            size="xs"
            allowDeselect={false}
            value={top.by}
            data={[
              { value: 'all', label: 'All rows' },
              { value: 'parent', label: `Each ${within(labelOf(dataset, parent))}` },
            ]}
            onChange={(next) => next && change({ top: { ...top, by: next as TopBy } })}
          />
        )}
        {top && (
          <Checkbox
            size="xs"
            label="Rest as «Other»"
            checked={top.other}
            onChange={(event) => change({ top: { ...top, other: event.currentTarget.checked } })}
          />
        )}
      </div>
    </Part>
  );
}
