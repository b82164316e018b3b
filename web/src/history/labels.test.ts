import { describe, expect, it } from 'vitest';
import type { Entry } from './api';
import {
  changesToRestore,
  fieldLabel,
  lineChanges,
  referenceOf,
  shownChanges,
  valueText,
} from './labels';

const by = { name: 'Ana Cruz' };
const entry = (seq: number, action: string, changes: Entry['changes']): Entry => ({
  seq,
  at: '2026-11-20T08:00:00Z',
  by,
  action,
  changes,
});
const change = (field: string, before: unknown, after: unknown) => ({ field, before, after });

describe('history texts', () => {
  it('name fields in plain words', () => {
    expect(fieldLabel('baseUomWeight')).toBe('Base UOM weight');
    expect(fieldLabel('companyId')).toBe('Company');
    expect(fieldLabel('posTerminals')).toBe('POS terminals');
    expect(fieldLabel('otherUoms')).toBe('Other UOMs');
    expect(fieldLabel('sku')).toBe('SKU');
  });

  it('name what an id refers to, and take no text for an id', () => {
    expect(referenceOf('companyId')).toBe('companies');
    expect(referenceOf('category', undefined, 'product')).toBe('categories');
    expect(referenceOf('category', undefined, 'posItem')).toBeNull();
    expect(referenceOf('parentId', undefined, 'account')).toBe('chart-of-accounts');
    expect(referenceOf('parentId')).toBeNull();
    const nameOf = (kind: string, id: unknown) => `${kind}:${String(id)}`;
    expect(valueText('x', 'companyId', nameOf)).toBe('companies:x');
    expect(valueText([{ rootItemId: 'r', qty: 2.5 }], 'rootItems', nameOf)).toBe(
      'root-items:r · 2.5',
    );
    expect(valueText('2026-11-20', 'openingDate', nameOf)).toBe('20 Nov 2026');
    expect(valueText(null, 'name', nameOf)).toBe('–');
    expect(valueText('<b>', 'name', nameOf)).toBe('<b>');
  });

  it('omit the empty fields of a new record', () => {
    const made = entry(1, 'created', [
      change('name', null, 'A'),
      change('city', null, null),
      change('inactive', null, false),
      change('updatedAt', null, 'x'),
    ]);
    expect(shownChanges(made).map(({ field }) => field)).toEqual(['name']);
  });

  it('show added and removed lines', () => {
    const rice = { rootItemId: 'rice', qty: 1 };
    const more = { rootItemId: 'rice', qty: 2 };
    expect(lineChanges([rice], [rice, more])).toEqual({ removed: [], added: [more] });
    expect(lineChanges(null, [rice])).toEqual({ removed: [], added: [rice] });
  });
});

describe('restoring', () => {
  const entries = [
    entry(4, 'updated', [change('name', 'C', 'A'), change('revision', 3, 4)]),
    entry(3, 'updated', [change('name', 'B', 'C'), change('city', null, 'Cebu')]),
    entry(2, 'updated', [change('name', 'A', 'B')]),
    entry(1, 'created', [change('name', null, 'A')]),
  ];

  it('goes from the present to the former values, one change per field', () => {
    expect(changesToRestore(entries, entries[2] as Entry)).toEqual([
      change('name', 'A', 'B'),
      change('city', 'Cebu', null),
    ]);
  });

  it('leaves out fields that changed back by themselves', () => {
    expect(changesToRestore(entries, entries[3] as Entry)).toEqual([change('city', 'Cebu', null)]);
    expect(changesToRestore(entries, entries[0] as Entry)).toEqual([]);
  });
});
