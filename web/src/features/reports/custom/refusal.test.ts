import { expect, test } from 'vitest';
import { errorOfPart, partOf } from './refusal';

const two = { measures: [{}, {}], filters: [{}] } as never;

test('a refusal is shown at its part', () => {
  const problem = {
    fields: [
      { field: 'measures.1.rule', message: 'Choose another rule.' },
      { field: 'definition.filters.0.values', message: 'Enter a number.' },
      { field: 'range', message: 'Choose from when to when.' },
    ],
  } as never;
  expect(errorOfPart(problem, two, 'measures')).toBe('No. 2: Choose another rule.');
  expect(errorOfPart(problem, two, 'filters')).toBe('Enter a number.');
  expect(errorOfPart(problem, two, 'about')).toBe('Choose from when to when.');
  expect(errorOfPart(problem, two, 'rows')).toBeUndefined();
});

test('no field is without a place', () => {
  expect(['top', 'sort.part', 'dataset', 'compare', 'name'].map(partOf)).toEqual([
    'order',
    'order',
    'about',
    'about',
    'about',
  ]);
});
