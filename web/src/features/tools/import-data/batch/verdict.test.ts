import { describe, expect, it } from 'vitest';
import type { Batch, ImportList, Summary } from '../types';
import { verdict } from './verdict';

const list: ImportList = {
  slug: 'products',
  label: 'Products',
  one: 'product',
  canCreate: true,
  canEdit: true,
  fields: [],
};
const none: Summary = {
  rows: 0,
  created: 0,
  updated: 0,
  unchanged: 0,
  failed: 0,
  willCreate: [],
};
const batch = (state: Batch['state'], summary: Partial<Summary>) =>
  ({ state, summary: { ...none, ...summary } }) as Batch;
const say = (state: Batch['state'], summary: Partial<Summary>) =>
  verdict(batch(state, summary), list, false);

describe('the verdict on an import', () => {
  it('reports what will be imported, and what will not', () => {
    expect(say('checked', { rows: 20_000, created: 19_873, updated: 1, failed: 126 })).toEqual({
      title: 'Ready to import 19,874 products',
      text: '126 rows with problems are left out.',
    });
  });

  it('tells a file without changes from an invalid one', () => {
    expect(say('checked', { rows: 2, unchanged: 2 }).text).toBe('No row changes anything.');
    expect(say('checked', { rows: 2, unchanged: 1, failed: 1 }).text).toBe(
      '1 row changes nothing. 1 row with problems is left out.',
    );
    expect(say('checked', { rows: 2, failed: 2 }).title).toBe('No row can be imported');
  });

  it('reports what was undone, and what stays', () => {
    expect(say('undone', { rows: 3, created: 3, undone: 3, kept: 0 }).text).toBe(
      '3 products taken back.',
    );
    expect(say('undone', { rows: 3, created: 3, undone: 1, kept: 2 }).text).toBe(
      '1 product taken back. 2 stay as they are; their rows say why.',
    );
  });

  it('offers to resume an interrupted import', () => {
    expect(verdict(batch('failed', { rows: 3 }), list, true).title).toBe('Stopped before the end');
  });
});
