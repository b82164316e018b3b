import { expect, test } from 'vitest';
import type { SalesDay } from '../types';
import { leftOut, leftOutWords } from './leftOut';

const day = (sources: { source: string; countedSource?: string | null }[]) =>
  ({ sources }) as unknown as SalesDay;

test('a source whose sales another one reports is named', () => {
  const of = day([
    { source: 'api', countedSource: null },
    { source: 'file', countedSource: 'api' },
  ]);
  expect(leftOut(of)).toEqual(new Set(['file']));
  expect(leftOutWords(of)).toEqual([
    'Sales from a file are not counted: the same ones came from a till.',
  ]);
});

test('sources that all count are not mentioned', () => {
  const of = day([{ source: 'api' }, { source: 'file', countedSource: null }]);
  expect([leftOut(of).size, leftOutWords(of).length]).toEqual([0, 0]);
});
