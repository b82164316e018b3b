// A report's definition as a line of text: «Sales lines: net sales, change by store across month, last 6 months».
import {
  begin,
  COMPARES,
  fieldOf,
  labelOf,
  MOST,
  parentOf,
  rollingLabel,
  UNITS,
} from './definition';
import type {
  Chart,
  Compare,
  Dataset,
  Datasets,
  Definition,
  Field,
  Filter,
  Measure,
  Range,
  Rule,
} from './types';

/** Words that are not understood, and what they may mean. */
export interface Unclear {
  words: string;
  options: readonly string[];
}

export interface Reading {
  definition: Definition;
  unclear: readonly Unclear[];
}

const RULE_WORDS: Readonly<Record<Rule, readonly string[]>> = {
  sum: ['total'],
  avgPerDay: ['average a day', 'average per day', 'daily average', 'per day'],
  share: ['share', 'share of the total', 'share of total'],
  parent: ['share of parent', 'share of the parent'],
  change: ['change', 'growth'],
  running: ['running total', 'running', 'cumulative'],
};
const CHART_WORDS: Readonly<Record<Chart, string>> = {
  bars: 'as bars',
  lines: 'as lines',
  heat: 'as shades',
  none: 'without picture',
};
const DATE_WORDS: Readonly<Record<string, string>> = {
  day: 'date',
  daily: 'date',
  weekly: 'week',
  monthly: 'month',
  quarterly: 'quarter',
  yearly: 'year',
};
const BREAKS = [',', ';', ':'];
const FILLERS = ['and', 'the', 'of', 'with', 'in', 'for', 'a', '&', '+', 'then'];

/** Words and separators; a comma within a number is none. */
const tokens = (text: string): string[] =>
  text
    .replace(/[«»"“”]/g, ' ')
    .replace(/([,;:])(?=\s|$)/g, ' $1 ')
    .split(/\s+/)
    .filter(Boolean);

const lower = (text: string) => tokens(text.toLowerCase());

/** A phrase and what it does; the rest is for phrases with numbers and names. */
interface Phrase {
  words: readonly string[];
  act(): void;
}

/** The number of words of a phrase at the beginning of a text; 0 if the text begins otherwise. */
const begins = (words: readonly string[], phrase: readonly string[]): number =>
  phrase.length > 0 && phrase.every((word, at) => words[at] === word) ? phrase.length : 0;

/** «last 6 months and this one», with its number of words. */
function rolling(words: readonly string[]): [Range, number] | null {
  if (words[0] !== 'last' && words[0] !== 'past') return null;
  const counted = /^\d{1,3}$/.test(words[1] ?? '');
  const named = words[counted ? 2 : 1];
  const unit = UNITS.find((one) => named === one || named === `${one}s`);
  if (!unit) return null;
  const used = counted ? 3 : 2;
  const range = { last: counted ? Number(words[1]) : 1, unit };
  const [and = '', current, one] = words.slice(used);
  if (['and', 'with', 'including'].includes(and)) {
    if (unit === 'day' && current === 'today') return [{ ...range, running: true }, used + 2];
    if (current === 'this' && (one === 'one' || one === unit)) {
      return [{ ...range, running: true }, used + 3];
    }
  }
  return [{ ...range, running: false }, used];
}

const LIMIT = /^-?\d+(\.\d+)?$/;
const DATE = /^\d{4}-\d{2}-\d{2}$/;

/** «2026-01-01 to 2026-03-31». */
function dates([from = '', to, until = '']: readonly string[]): [Range, number] | null {
  const both = DATE.test(from) && (to === 'to' || to === '–') && DATE.test(until);
  return both ? [{ from, to: until }, 3] : null;
}

/** Reads a text. What it does not mention is not in the report, but for the days, the picture and chosen filters. */
export function read(text: string, current: Definition, datasets: Datasets): Reading {
  const raw = tokens(text);
  const words = raw.map((word) => word.toLowerCase());
  const named = datasets.items
    .map((one) => ({ one, label: lower(one.label) }))
    .find(({ label }) => begins(words, label) > 0 && words[label.length] === ':');
  const dataset = named?.one ?? datasets.items.find(({ key }) => key === current.dataset);
  if (!dataset) return { definition: current, unclear: [{ words: text, options: [] }] };
  return new Reader(raw, words, current, dataset, datasets).read(named ? named.label.length : 0);
}

class Reader {
  private readonly next: Definition;
  private readonly unclear: Unclear[] = [];
  private readonly phrases: readonly Phrase[];
  private axis: 'rows' | 'columns' = 'rows';
  /** Whether fields of rows or columns follow. */
  private listing = false;
  /** The figure of this clause, whose calculation is not said yet. */
  private open: number | null = null;
  /** A calculation that waits for its figure. */
  private pending: Rule | null = null;
  private compared = false;
  private filtering = false;
  private sorting = false;
  private subject: Field | null = null;
  private readonly parents: Field[] = [];
  private at = 0;

  constructor(
    private readonly raw: readonly string[],
    private readonly words: readonly string[],
    current: Definition,
    private readonly dataset: Dataset,
    private readonly datasets: Datasets,
  ) {
    const same = current.dataset === dataset.key;
    this.next = {
      ...begin(dataset),
      range: current.range,
      chart: current.chart,
      rows: [],
      columns: [],
      measures: [],
      filters: same ? current.filters.filter((filter) => filterWords(filter, '') === null) : [],
    };
    this.phrases = this.known();
  }

  read(from: number): Reading {
    this.at = from;
    while (this.at < this.words.length) this.at += this.step();
    this.end();
    if (this.next.measures.length === 0 && this.unclear.length === 0) {
      const figures = this.dataset.fields.filter((field) => field.measure).slice(0, 3);
      this.refuse('no figure', figures);
    }
    const change = this.next.measures.some(({ rule }) => rule === 'change');
    const last = this.next.measures.at(-1);
    if (this.compared && !change && last) {
      this.next.measures.push({ field: last.field, rule: 'change' });
    }
    const parent = parentOf(this.next);
    for (const field of this.parents.filter(({ key }) => key !== parent)) {
      this.refuse(`each ${field.label.toLowerCase()}`, []);
    }
    for (const part of ['rows', 'columns', 'measures'] as const) {
      if (this.next[part].length > MOST[part]) this.refuse(`more than ${MOST[part]} ${part}`, []);
    }
    return { definition: this.next, unclear: this.unclear };
  }

  private refuse(words: string, fields: readonly Field[]): void {
    this.unclear.push({ words, options: fields.map(({ label }) => label) });
  }

  /** Fixed phrases: calculations, steps, pictures, fields, ranges. */
  private known(): Phrase[] {
    const all: [string, () => void][] = [
      ['by', () => this.list('rows')],
      ['across', () => this.list('columns')],
      ['where', () => this.filter()],
      ['sorted by', () => this.sort()],
      ['sorted by name', () => this.order(null, false)],
      ['largest first', () => this.order(this.next.sort ? this.next.sort.measure : 0, true)],
      ['smallest first', () => this.order(this.next.sort ? this.next.sort.measure : 0, false)],
      ['a to z', () => this.order(null, false)],
      ['z to a', () => this.order(null, true)],
      ['of each parent', () => this.topOf(null)],
      ['with others', () => this.others(true)],
      ['without others', () => this.others(false)],
    ];
    for (const [rule, names] of Object.entries(RULE_WORDS)) {
      for (const name of names) all.push([name, () => this.rule(rule as Rule)]);
    }
    for (const [compare, step] of Object.entries(COMPARES)) {
      for (const lead of ['against', 'on', 'vs']) {
        all.push([`${lead} ${step}`, () => this.compare(compare as Compare)]);
        all.push([`${lead} last ${compare}`, () => this.compare(compare as Compare)]);
      }
    }
    for (const [chart, name] of Object.entries(CHART_WORDS)) {
      all.push([
        name,
        () => {
          this.next.chart = chart as Chart;
        },
      ]);
    }
    for (const { key, label } of this.datasets.ranges) {
      all.push([label, () => this.range({ named: key })]);
    }
    for (const field of this.dataset.fields) {
      // Short keys are words of the text: in, by.
      const names = field.key.length > 2 ? [field.label, field.key] : [field.label];
      for (const name of names) all.push([name, () => this.field(field)]);
      if (field.measure) continue;
      all.push([`of each ${field.label}`, () => this.topOf(field)]);
      all.push([
        `share of ${field.label}`,
        () => {
          this.parents.push(field);
          this.rule('parent');
        },
      ]);
    }
    for (const [word, key] of Object.entries(DATE_WORDS)) {
      const field = fieldOf(this.dataset, key);
      if (field) all.push([word, () => this.field(field)]);
    }
    return all.map(([name, act]) => ({ words: lower(name), act }));
  }

  /** Reads what comes next; returns its number of words. */
  private step(): number {
    const rest = this.words.slice(this.at);
    const word = rest[0] ?? '';
    if (BREAKS.includes(word)) {
      this.end();
      return 1;
    }
    if (this.filtering && this.subject) return this.operand(rest);
    let best = 0;
    let act = () => {};
    for (const phrase of this.phrases) {
      const length = begins(rest, phrase.words);
      if (length > best) {
        best = length;
        act = phrase.act;
      }
    }
    const range = rolling(rest) ?? dates(rest);
    if (range && range[1] > best) {
      this.range(range[0]);
      return range[1];
    }
    if (best > 0) {
      act();
      return best;
    }
    const number = Number(rest[1]);
    if (['top', 'first'].includes(word) && Number.isInteger(number) && number > 0) {
      this.end();
      this.next.top = { rows: Math.min(500, number), other: true, by: 'all' };
      return rest[2] === 'rows' ? 3 : 2;
    }
    if (this.sorting && word === 'figure' && Number.isInteger(number)) {
      this.order(number - 1, true);
      return 2;
    }
    if (!FILLERS.includes(word)) this.guess(word);
    return 1;
  }

  /** A word that is part of one field's name only. */
  private guess(word: string): void {
    const stem = word.replace(/s$/, '');
    const fits = this.dataset.fields.filter(({ label }) =>
      lower(label).some((part) => stem.length > 2 && part.startsWith(stem)),
    );
    const figures = fits.filter((field) => field.measure);
    const others = fits.filter((field) => !field.measure);
    const found = this.listing || figures.length === 0 ? others : figures;
    if (found.length === 1 && found[0]) this.field(found[0]);
    else this.refuse(word, found);
  }

  /** Ends a clause. */
  private end(): void {
    const last = this.next.measures.at(-1);
    if (this.pending && last) this.next.measures.push({ field: last.field, rule: this.pending });
    else if (this.pending) this.refuse(RULE_WORDS[this.pending][0] ?? '', []);
    if (this.filtering) this.refuse('where', []);
    this.pending = null;
    this.open = null;
    this.listing = false;
    this.filtering = false;
    this.sorting = false;
    this.subject = null;
  }

  private list(axis: 'rows' | 'columns'): void {
    this.end();
    this.axis = axis;
    this.listing = true;
  }

  private range(range: Range): void {
    this.end();
    this.next.range = range;
  }

  private filter(): void {
    this.end();
    this.filtering = true;
  }

  private sort(): void {
    this.end();
    this.sorting = true;
  }

  private order(measure: number | null, descending: boolean): void {
    this.sorting = false;
    this.next.sort = { measure, descending };
  }

  private compare(compare: Compare): void {
    this.next.compare = compare;
    this.compared = true;
  }

  private others(other: boolean): void {
    if (this.next.top) this.next.top = { ...this.next.top, other };
    else this.refuse('others', []);
  }

  private topOf(field: Field | null): void {
    if (this.next.top) this.next.top = { ...this.next.top, by: 'parent' };
    else this.refuse('of each', []);
    if (field) this.parents.push(field);
  }

  private rule(rule: Rule): void {
    const open = this.open === null ? undefined : this.next.measures[this.open];
    if (open) {
      open.rule = rule;
      this.open = null;
      return;
    }
    const { pending } = this;
    const last = this.next.measures.at(-1);
    if (pending && last) this.next.measures.push({ field: last.field, rule: pending });
    this.pending = rule;
  }

  private field(field: Field): void {
    if (this.filtering) {
      this.subject = field;
    } else if (this.sorting) {
      const at = this.next.measures.findIndex((measure) => measure.field === field.key);
      if (at < 0) this.refuse(`sorted by ${field.label.toLowerCase()}`, []);
      else this.order(at, true);
    } else if (field.measure) {
      this.figure(field);
    } else if (!this.next.rows.includes(field.key) && !this.next.columns.includes(field.key)) {
      this.next[this.axis].push(field.key);
    }
  }

  private figure(field: Field): void {
    const measure: Measure = { field: field.key, rule: this.pending ?? 'sum' };
    this.open = this.pending ? null : this.next.measures.length;
    this.pending = null;
    this.next.measures.push(measure);
  }

  /** What follows the field of a filter; returns its number of words. */
  private operand(rest: readonly string[]): number {
    const field = this.subject;
    const end = rest.findIndex((word) => BREAKS.includes(word));
    const length = end < 0 ? rest.length : end;
    const written = this.raw.slice(this.at, this.at + length);
    const filter = field && operandOf(field, written);
    this.filtering = false;
    this.subject = null;
    if (filter) this.next.filters.push(filter);
    else this.refuse(`where ${field?.label.toLowerCase()} ${written.join(' ')}`, []);
    return length;
  }
}

function operandOf(field: Field, written: readonly string[]): Filter | null {
  const [first = '', second = ''] = written.map((word) => word.toLowerCase());
  if (!field.measure) {
    const text = written.slice(1).join(' ');
    return first === 'contains' && text
      ? { field: field.key, op: 'contains', values: [text] }
      : null;
  }
  const number = (written[2] ?? '').replace(/[₱,]/g, '');
  if (first !== 'at' || written.length !== 3 || !LIMIT.test(number)) return null;
  if (second !== 'least' && second !== 'most') return null;
  return { field: field.key, op: second === 'least' ? 'atLeast' : 'atMost', values: [number] };
}

/** A definition as text, as it is read; filters that cannot be typed are left out. */
export function written(definition: Definition, dataset: Dataset, datasets: Datasets): string {
  const label = (key: string) => labelOf(dataset, key).toLowerCase();
  const { rows, columns, measures, compare, range, filters, sort, top, chart } = definition;
  const figures = measures.map(({ field, rule }) =>
    rule === 'sum' ? label(field) : `${label(field)} ${RULE_WORDS[rule][0]}`,
  );
  const axes = [
    rows.length > 0 ? ` by ${rows.map(label).join(' and ')}` : '',
    columns.length > 0 ? ` across ${columns.map(label).join(' and ')}` : '',
  ];
  const parts = [`${dataset.label}: ${figures.join(', ')}${axes.join('')}`];
  if (compare !== 'range') parts.push(`against ${COMPARES[compare]}`);
  parts.push(rangeWords(range, datasets));
  for (const filter of filters) parts.push(filterWords(filter, label(filter.field)) ?? '');
  if (sort) parts.push(orderWords(sort, measures, label));
  if (top) {
    const parent = parentOf(definition);
    const of = top.by === 'parent' ? ` of each ${parent ? label(parent) : 'parent'}` : '';
    parts.push(`top ${top.rows}${of}${top.other ? '' : ' without others'}`);
  }
  if (chart !== 'bars') parts.push(CHART_WORDS[chart]);
  return parts.filter(Boolean).join(', ');
}

/** A filter as text; null if it cannot be typed: chosen values, and texts with separators. */
function filterWords({ op, values }: Filter, label: string): string | null {
  const text = values[0] ?? '';
  if (op === 'contains' && text !== '' && tokens(text).join(' ') === text) {
    return BREAKS.some((one) => tokens(text).includes(one))
      ? null
      : `where ${label} contains ${text}`;
  }
  if (op !== 'atLeast' && op !== 'atMost') return null;
  return LIMIT.test(text)
    ? `where ${label} at ${op === 'atLeast' ? 'least' : 'most'} ${text}`
    : null;
}

function rangeWords(range: Range, { ranges }: Datasets): string {
  const { from, to, named } = range;
  if (from && to) return `${from} to ${to}`;
  const label = rollingLabel(range) ?? ranges.find(({ key }) => key === named)?.label;
  return label?.toLowerCase() ?? '';
}

function orderWords(
  sort: NonNullable<Definition['sort']>,
  measures: readonly Measure[],
  label: (key: string) => string,
): string {
  const { measure: at, descending } = sort;
  if (at === null) return descending ? 'z to a' : 'sorted by name';
  const field = measures[at]?.field ?? '';
  const first = measures.findIndex((measure) => measure.field === field) === at;
  const by = first ? label(field) : `figure ${at + 1}`;
  return `sorted by ${by}${descending ? '' : ' smallest first'}`;
}

/** What to say about words that are not understood. */
export const complaint = (unclear: readonly Unclear[]): string =>
  `Not understood: ${unclear
    .map(({ words, options }) =>
      options.length > 0 ? `«${words}» (${options.join(' or ')}?)` : `«${words}»`,
    )
    .join(', ')}.`;
