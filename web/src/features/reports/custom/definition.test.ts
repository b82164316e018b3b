import { describe, expect, it } from 'vitest';
import {
  asked,
  isKnownBy,
  moved,
  readDefinition,
  rollingLabel,
  sentence,
  whole,
  withMeasures,
  writeDefinition,
} from './definition';
import { examples } from './examples';
import { clock, minutesOf, scheduleLabel } from './labels';
import type { Dataset, Field } from './types';

const definition = examples[1]?.definition;
if (!definition) throw new Error('there are examples');

describe('a definition in the address', () => {
  it('round trips', () => {
    for (const { definition: one } of examples) {
      expect(readDefinition(writeDefinition(one))).toEqual(one);
    }
  });

  it('is null if the address is invalid', () => {
    for (const junk of ['', '{', 'null', '7', '[]', '{"dataset":3}']) {
      expect(readDefinition(junk)).toBeNull();
    }
  });

  it('keeps the valid parts', () => {
    const read = whole({
      dataset: 'sales',
      range: { from: 3 },
      rows: ['store', 7],
      measures: [{ field: 'net', rule: 'moon' }, 'net'],
      filters: [{ field: 'item', op: 'is', values: ['a', null] }],
      sort: 'up',
      top: { rows: 'many' },
      chart: 'pie',
    });
    expect(read).toEqual({
      dataset: 'sales',
      range: { named: 'last-4-weeks' },
      rows: ['store'],
      columns: [],
      measures: [{ field: 'net', rule: 'sum' }],
      compare: 'range',
      filters: [{ field: 'item', op: 'is', values: ['a'] }],
      sort: null,
      top: null,
      chart: 'bars',
    });
  });

  it('has rolling ranges, steps and top rows of parents', () => {
    const newer = {
      range: { last: 6, unit: 'month', running: true },
      compare: 'month',
      top: { rows: 3, other: true, by: 'parent' },
    };
    expect(whole({ dataset: 'sales', ...newer })).toMatchObject(newer);
    const range = (value: unknown) => whole({ dataset: 'sales', range: value })?.range;
    expect(range({ last: 6, unit: 'moon' })).toEqual({ named: 'last-4-weeks' });
    expect(range({ last: 2, unit: 'week' })).toEqual({ last: 2, unit: 'week', running: false });
    expect([
      rollingLabel({ last: 6, unit: 'month', running: true }),
      rollingLabel({ last: 1, unit: 'day', running: true }),
      rollingLabel({ last: 1, unit: 'quarter' }),
      rollingLabel({ named: 'today' }),
    ]).toEqual(['Last 6 months and this one', 'Last day and today', 'Last quarter', null]);
  });

  it('of an earlier version is read as it was meant', () => {
    const earlier = { dataset: 'sales', range: { named: 'today' }, top: { rows: 5, other: true } };
    expect(whole(earlier)).toMatchObject({
      range: { named: 'today' },
      compare: 'range',
      top: { rows: 5, other: true, by: 'all' },
    });
  });

  it('applies complete filters only', () => {
    const filters = [
      { field: 'item', op: 'is' as const, values: [] },
      { field: 'item', op: 'contains' as const, values: [' '] },
      { field: 'item', op: 'isNot' as const, values: [''] },
    ];
    expect(asked({ ...definition, filters }).filters).toEqual([filters[2]]);
  });
});

it('sorting follows its figure', () => {
  const sorted = { ...definition, sort: { measure: 2, descending: true } };
  const measures = moved(definition.measures, 2, -1);
  const up = withMeasures(sorted, measures, (at) => (at === 2 ? 1 : at === 1 ? 2 : at));
  expect([up.sort?.measure, up.measures[1]?.rule]).toEqual([1, 'change']);
  expect(withMeasures(sorted, definition.measures.slice(0, 2), () => null).sort).toBeNull();
});

it('describes schedules', () => {
  const schedule = { every: 'week' as const, minutes: 420, weekdays: 127, monthDay: 1 };
  expect(scheduleLabel(schedule)).toBe('Every day at 07:00');
  expect(scheduleLabel({ ...schedule, weekdays: 9 })).toBe('Mon, Thu at 07:00');
  expect(scheduleLabel({ ...schedule, every: 'month', monthDay: 31 })).toBe(
    'Every month on day 31 at 07:00',
  );
  expect([minutesOf('07:30'), minutesOf('25:00'), clock(450)]).toEqual([450, null, '07:30']);
});

it('does not split a figure by a field it lacks', () => {
  const field = (key: string, notBy: string[]) => ({ key, notBy }) as unknown as Field;
  const dataset = { fields: [field('kind', []), field('amount', []), field('z', ['kind'])] };
  const known = (...figures: string[]) => isKnownBy(dataset, figures, 'kind');
  expect([known('amount'), known('amount', 'z'), known()]).toEqual([true, false, true]);
});

it('names a field once that is shown by several rules', () => {
  const dataset = {
    fields: [
      { key: 'net', label: 'Net sales' },
      { key: 'gross', label: 'Gross sales' },
      { key: 'store', label: 'Store' },
      { key: 'month', label: 'Month' },
    ],
  } as unknown as Dataset;
  const measures = [
    { field: 'net', rule: 'sum' as const },
    { field: 'net', rule: 'change' as const },
    { field: 'gross', rule: 'sum' as const },
  ];
  expect(sentence({ ...definition, measures, rows: ['store'], columns: ['month'] }, dataset)).toBe(
    'Net sales, Gross sales by store and month',
  );
});
