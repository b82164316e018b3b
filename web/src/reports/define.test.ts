import { describe, expect, it, vi } from 'vitest';
import { type AcrossRow, across } from './across';
import { askedOf, type Choices, readChosen } from './choices';
import { slicesOf } from './Drilldown';
import { weekday } from './question/weeks';

type Chosen = { by: 'root' | 'pos'; measure: 'qty' | 'net' };

const choices: Choices<Chosen> = {
  by: {
    label: 'Rows',
    asked: 'always',
    options: [
      { value: 'root', label: 'Root items' },
      { value: 'pos', label: 'POS items' },
    ],
  },
  measure: {
    label: 'Measure',
    asked: 'file',
    when: ({ by }) => by === 'pos',
    options: [
      { value: 'qty', label: 'Quantity' },
      { value: 'net', label: 'Net' },
    ],
  },
};
const read = (values: Record<string, string>) => readChosen(choices, (name) => values[name] ?? '');

describe('report choices', () => {
  it('come from the address, else default to the first', () => {
    expect(read({})).toEqual({ by: 'root', measure: 'qty' });
    expect(read({ by: 'pos', measure: 'net' })).toEqual({ by: 'pos', measure: 'net' });
    expect(read({ by: 'nonsense' })).toEqual({ by: 'root', measure: 'qty' });
  });

  it('are ignored if not offered', () => {
    expect(read({ measure: 'net' })).toEqual({ by: 'root', measure: 'qty' });
  });

  it('are sent to the server if declared so', () => {
    const chosen = read({ by: 'pos', measure: 'net' });
    expect(askedOf(choices, chosen, false)).toEqual({ by: 'pos' });
    expect(askedOf(choices, chosen, true)).toEqual({ by: 'pos', measure: 'net' });
  });
});

const row = (id: string, values: (number | null)[], total: number | null): AcrossRow => ({
  id,
  name: id,
  kind: null,
  values,
  total,
});
const day = (key: string) => ({
  key,
  label: key,
  title: key,
  cell: { from: key, to: key, storeId: null },
});

function columns(phone: boolean, foot?: { values: (number | null)[]; total: number | null }) {
  const openCell = vi.fn();
  const rows = [row('a', [1, null], 1), row('b', [0.2, 0.1], 0.3)];
  const made = across(
    { state: { phone, openCell }, all: rows, added: rows },
    {
      points: [day('2026-10-12'), day('2026-10-13')],
      whole: { from: '2026-10-12', to: '2026-10-13' },
      write: String,
      foot,
      least: 60,
    },
  );
  return { ...made, openCell, rows };
}

describe('columns', () => {
  it('have sums in the footer and at the right', () => {
    const { columns: all, total } = columns(false);
    expect(all.map(({ id, foot }) => [id, foot])).toEqual([
      ['2026-10-12', '1.2'],
      ['2026-10-13', '0.1'],
    ]);
    expect(total?.foot).toBe('1.3');
  });

  it('have no footer if nothing adds up', () => {
    const { columns: all, total } = columns(false, { values: [0.5, null], total: null });
    expect([...all.map(({ foot }) => foot), total?.foot]).toEqual(['0.5', undefined, undefined]);
  });

  it('put the sums first on a phone', () => {
    const { columns: all, total } = columns(true);
    expect(all.map(({ id }) => id)).toEqual(['total', '2026-10-12', '2026-10-13']);
    expect(total).toBeNull();
  });

  it('lead to their parts', () => {
    const { columns: all, total, openCell, rows } = columns(false);
    all[1]?.onPick?.(rows[0] ?? null);
    expect(openCell).toHaveBeenLastCalledWith({
      from: '2026-10-13',
      to: '2026-10-13',
      storeId: null,
      itemId: 'a',
    });
    total?.onPick?.(null);
    expect(openCell).toHaveBeenLastCalledWith({
      from: '2026-10-12',
      to: '2026-10-13',
      storeId: null,
      itemId: null,
    });
  });
});

it('lists the items of a figure that add to it, the largest first', () => {
  const rows = [row('a', [], 0), row('b', [], 2), row('c', [], -1), row('d', [], 5)];
  expect(slicesOf(rows, ({ total }) => total ?? 0).rows.map(({ id }) => id)).toEqual([
    'd',
    'b',
    'c',
  ]);
});

it('names days by weekday', () => {
  expect(['2026-11-23', '2026-11-29', '2024-02-29'].map(weekday)).toEqual(['Mon', 'Sun', 'Thu']);
});
