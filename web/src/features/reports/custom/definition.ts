// A definition in the address, and the steps that change it.
import type {
  Compare,
  Dataset,
  Definition,
  Field,
  Filter,
  Measure,
  Op,
  Range,
  Rule,
  Unit,
} from './types';

export const RULES: Readonly<Record<Rule, string>> = {
  sum: 'Total',
  avgPerDay: 'Average a day',
  share: 'Share of the total',
  parent: 'Share of the parent',
  change: 'Change against the period before',
  running: 'Running total',
};

/** What changes are against, within a sentence. */
export const COMPARES: Readonly<Record<Compare, string>> = {
  range: 'the range before',
  week: 'the week before',
  month: 'the month before',
  quarter: 'the quarter before',
  year: 'the year before',
};

export const UNITS: readonly Unit[] = ['day', 'week', 'month', 'quarter', 'year'];

/** A number of periods: «6 months», «day». */
export const periods = (last: number, unit: Unit): string =>
  last === 1 ? unit : `${last} ${unit}s`;

/** A range of the last periods: «Last 6 months and this one». */
export const rollingLabel = ({ last, unit, running }: Range): string | null =>
  last == null || !unit
    ? null
    : `Last ${periods(last, unit)}${running ? (unit === 'day' ? ' and today' : ' and this one') : ''}`;

/** The field whose values are the parents of rows: that before the last; null if there is one field or none. */
export const parentOf = (definition: Definition): string | null => definition.rows.at(-2) ?? null;

export const OPS: Readonly<Record<Op, string>> = {
  is: 'is',
  isNot: 'is not',
  contains: 'contains',
  atLeast: 'is at least',
  atMost: 'is at most',
};

export const MOST = { rows: 3, columns: 2, measures: 6, filters: 12 } as const;

/** A dataset with its first figure: the builder's initial definition. */
export function begin(dataset: Dataset): Definition {
  const measure = dataset.fields.find((field) => field.measure);
  const row = dataset.fields.find(({ key }) => key === 'store');
  return {
    dataset: dataset.key,
    range: { named: dataset.ahead && dataset.key === 'forecasts' ? 'next-7-days' : 'last-4-weeks' },
    rows: row ? [row.key] : [],
    columns: [],
    measures: measure ? [{ field: measure.key, rule: 'sum' }] : [],
    compare: 'range',
    filters: [],
    sort: null,
    top: null,
    chart: 'bars',
  };
}

const texts = (value: unknown): string[] =>
  Array.isArray(value) ? value.filter((one) => typeof one === 'string') : [];
const objects = (value: unknown): Record<string, unknown>[] =>
  Array.isArray(value) ? value.filter((one) => typeof one === 'object' && one !== null) : [];

function rangeOf(value: unknown): Range {
  const range = (typeof value === 'object' && value) || {};
  const { named, from, to, last, unit, running } = range as Record<string, unknown>;
  if (typeof from === 'string' && typeof to === 'string') return { from, to };
  const length = UNITS.find((one) => one === unit);
  if (typeof last === 'number' && length) return { last, unit: length, running: running === true };
  return { named: typeof named === 'string' ? named : 'last-4-weeks' };
}

/** Any value from an address or a server, as a complete definition. */
export function whole(value: unknown): Definition | null {
  if (typeof value !== 'object' || value === null) return null;
  const of = value as Record<string, unknown>;
  if (typeof of.dataset !== 'string') return null;
  const sort = of.sort as Definition['sort'] | undefined;
  const top = of.top as Definition['top'] | undefined;
  return {
    dataset: of.dataset,
    range: rangeOf(of.range),
    rows: texts(of.rows),
    columns: texts(of.columns),
    measures: objects(of.measures).map(
      ({ field, rule }): Measure => ({
        field: String(field ?? ''),
        rule: (typeof rule === 'string' && rule in RULES ? rule : 'sum') as Rule,
      }),
    ),
    compare: (typeof of.compare === 'string' && of.compare in COMPARES
      ? of.compare
      : 'range') as Compare,
    filters: objects(of.filters).map(
      ({ field, op, values, names }): Filter => ({
        field: String(field ?? ''),
        op: (typeof op === 'string' && op in OPS ? op : 'is') as Op,
        values: texts(values),
        ...(texts(names).length > 0 ? { names: texts(names) } : {}),
      }),
    ),
    sort:
      typeof sort === 'object' && sort
        ? {
            measure: typeof sort.measure === 'number' ? sort.measure : null,
            descending: sort.descending === true,
          }
        : null,
    top:
      typeof top === 'object' && top && typeof top.rows === 'number'
        ? { rows: top.rows, other: top.other === true, by: top.by === 'parent' ? 'parent' : 'all' }
        : null,
    chart: ['none', 'bars', 'lines', 'heat'].includes(String(of.chart))
      ? (of.chart as Definition['chart'])
      : 'bars',
  };
}

/** From the address; null if invalid. */
export function readDefinition(text: string | null): Definition | null {
  if (!text) return null;
  try {
    return whole(JSON.parse(text));
  } catch {
    return null;
  }
}

export const writeDefinition = (definition: Definition): string => JSON.stringify(definition);

export const same = (a: Definition, b: Definition) => writeDefinition(a) === writeDefinition(b);

/** The definition without incomplete filters. */
export function asked(definition: Definition): Definition {
  const finished = definition.filters.filter(({ op, values }) =>
    op === 'contains' || op === 'atLeast' || op === 'atMost'
      ? (values[0] ?? '').trim() !== ''
      : values.length > 0,
  );
  return { ...definition, filters: finished };
}

export const fieldOf = (dataset: Dataset | undefined, key: string): Field | undefined =>
  dataset?.fields.find((field) => field.key === key);

/** A field's label; its key if it no longer exists. */
export const labelOf = (dataset: Dataset | undefined, key: string) =>
  fieldOf(dataset, key)?.label ?? `${key} (gone)`;

/** A label within a sentence: POS stays POS. */
export const within = (label: string) => (/^[A-Z]{2}/.test(label) ? label : label.toLowerCase());

/** Moves an item of a list up or down. */
export function moved<T>(list: readonly T[], at: number, by: -1 | 1): T[] {
  const next = [...list];
  const [one] = next.splice(at, 1);
  if (one !== undefined) next.splice(at + by, 0, one);
  return next;
}

/** The measures after one was removed or moved: the sorting follows its measure. */
export function withMeasures(
  definition: Definition,
  measures: Measure[],
  place: (at: number) => number | null,
): Definition {
  const { sort } = definition;
  const at = sort?.measure;
  if (!sort || at == null) return { ...definition, measures };
  const now = place(at);
  return { ...definition, measures, sort: now === null ? null : { ...sort, measure: now } };
}

/** The definition in a sentence: «Net sales by store and weekday». */
export function sentence(definition: Definition, dataset: Dataset | undefined): string {
  // The same field by several rules is named once.
  const fields = new Set(definition.measures.map(({ field }) => field));
  const what = [...fields].map((field) => labelOf(dataset, field)).join(', ');
  const by = [...definition.rows, ...definition.columns].map((key) =>
    within(labelOf(dataset, key)),
  );
  const last = by.pop();
  const words = by.length > 0 ? `${by.join(', ')} and ${last}` : last;
  return words ? `${what} by ${words}` : what;
}

/** Whether some figures of a dataset can be split by a field: not all can. */
export const isKnownBy = (
  dataset: Pick<Dataset, 'fields'>,
  figures: readonly string[],
  key: string,
): boolean =>
  !dataset.fields.some((field) => figures.includes(field.key) && field.notBy.includes(key));
