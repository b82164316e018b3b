import { act, renderHook } from '@testing-library/react';
import { describe, expect, it, vi } from 'vitest';
import { Problem } from '#/api/problem';
import type { Field } from '#/form/types';
import { listApi } from './api';
import { sendInParts } from './bulk/send';
import { defineList } from './define';
import { chosenChanges, defaultChoices, differences } from './merge/choices';
import { useMerge } from './merge/useMerge';
import { withMoved } from './move';

interface Row {
  id: string;
  revision: number;
  name: string;
  parentId: string | null;
  position: number;
}

const row = (id: string, parentId: string | null = null, position = 0): Row => ({
  id,
  revision: 1,
  name: id,
  parentId,
  position,
});

const def = defineList<Row>({
  slug: 'rows',
  page: 'listUoms',
  permission: 'lists/allLists',
  title: 'Rows',
  one: 'row',
  many: 'rows',
  icon: (() => null) as never,
  name: 'name',
  tree: 'parentId',
  ordered: true,
  fields: [{ kind: 'text', name: 'name', label: 'Name' }],
  empty: '',
});

describe('optimistic moves', () => {
  const order = (rows: readonly Row[], parent: string | null) =>
    rows
      .filter(({ parentId }) => parentId === parent)
      .sort((a, b) => a.position - b.position || a.name.localeCompare(b.name))
      .map(({ id }) => id);

  it('number siblings without positions', () => {
    const rows = [row('a'), row('b'), row('c')];
    expect(order(withMoved(def, rows, 'c', { parentId: null, before: 'a' }), null)).toEqual([
      'c',
      'a',
      'b',
    ]);
  });

  it('put a row below another, last or before one there', () => {
    const rows = [row('a'), row('b'), row('a1', 'a', 1), row('a2', 'a', 2)];
    expect(order(withMoved(def, rows, 'b', { parentId: 'a', before: null }), 'a')).toEqual([
      'a1',
      'a2',
      'b',
    ]);
    expect(order(withMoved(def, rows, 'b', { parentId: 'a', before: 'a2' }), 'a')).toEqual([
      'a1',
      'b',
      'a2',
    ]);
  });
});

describe('merging duplicates', () => {
  const fields: Field[] = [
    { kind: 'text', name: 'name', label: 'Name' },
    { kind: 'text', name: 'phone', label: 'Phone' },
    { kind: 'text', name: 'city', label: 'City' },
  ];
  const records = [
    { name: 'A', phone: null, city: 'Cebu' },
    { name: 'B', phone: '1', city: 'Cebu' },
    { name: 'C', phone: '2', city: 'Cebu' },
  ];
  const compared = differences(fields, records);

  it('shows only fields that differ', () => {
    expect(compared.map(({ field }) => field.name)).toEqual(['name', 'phone']);
  });

  it('keeps the values of the remaining record, and fills its gaps', () => {
    expect(defaultChoices(compared, 0)).toEqual({ name: 0, phone: 1 });
    expect(defaultChoices(compared, 2)).toEqual({ name: 2, phone: 2 });
    expect(chosenChanges(compared, 0, defaultChoices(compared, 0))).toEqual({ phone: '1' });
    expect(chosenChanges(compared, 0, { name: 2, phone: 0 })).toEqual({ name: 'C' });
    expect(chosenChanges(compared, 2, defaultChoices(compared, 2))).toEqual({});
  });
});

it('sends bulk changes in parts, and names each record that failed', async () => {
  const rows = Array.from({ length: 1203 }, (_, i) => row(`r${i}`));
  const bulk = vi.fn(async (records: readonly { id: string; revision: number }[]) => ({
    done: records.slice(1).map(({ id }) => row(id)),
    failed: [{ id: records[0]?.id ?? '', code: 'stale', detail: 'Changed meanwhile.' }],
  }));
  const sent = await sendInParts({ bulk }, rows, { name: 'x' }, ({ name }) => `«${name}»`);
  expect(bulk.mock.calls.map(([records]) => records.length)).toEqual([1000, 203]);
  expect(sent.done).toHaveLength(1201);
  expect(sent.failed).toEqual([
    { name: '«r0»', why: 'Changed meanwhile.' },
    { name: '«r1000»', why: 'Changed meanwhile.' },
  ]);
});

describe('a merge whose chosen values are refused in part', () => {
  it('saves the others, and says which was refused', async () => {
    const sent: object[] = [];
    const taken = new Problem(409, 'duplicate', '«A-2» is already taken.', [
      { field: 'sku', message: '«A-2» is already taken.' },
    ]);
    const api = {
      ...listApi<ReturnType<typeof row>>('/api/products'),
      merge: async () => ({ record: { ...row('a'), revision: 2 }, moved: [] }),
      update: async (_: string, revision: number, changed: object) => {
        sent.push({ revision, ...changed });
        if ('sku' in changed) throw taken;
        return { ...row('a'), revision: 3 };
      },
    };
    const { result } = renderHook(() => useMerge(api));
    const merged = await act(() =>
      result.current.merge(row('a'), [row('b')], { sku: 'A-2', city: 'Cebu' }),
    );
    expect(sent).toEqual([
      { revision: 2, sku: 'A-2', city: 'Cebu' },
      { revision: 2, city: 'Cebu' },
    ]);
    expect(merged?.record.revision).toBe(3);
    expect(merged?.refused?.message).toBe('«A-2» is already taken.');
  });
});
