import { describe, expect, it, vi } from 'vitest';
import { amount, percent, qty } from '#/ui/format';
import { sum } from '#/ui/sums';
import { acrossUnits, addsByUnit, type Columns, feetOf, groupedByUnit, inGroup } from './feet';
import type { Found } from './found';
import { linesOf } from './matrix/feet';
import { unitsOf } from './units';

interface Row {
  id: string;
  name: string;
  kind: null;
  unit: string | null;
  qty: number;
  pesos: number;
}

const row = (id: string, unit: string | null, qty: number, pesos: number): Row => ({
  id,
  name: id,
  kind: null,
  unit,
  qty,
  pesos,
});

const rows = [
  row('eggs', 'pc', 30, 240),
  row('rice', 'kg', 2.5, 125),
  row('pork', 'kg', 1.25, 400),
  row('salt', null, 7, 5),
];

function foundOf(all: readonly Row[]) {
  const set = vi.fn();
  const units = unitsOf(all);
  const found = {
    state: { set },
    all,
    found: all,
    filtered: false,
    units,
    group: units[0] ?? null,
    unit: units[0]?.unit ?? null,
    added: all,
  } as unknown as Found<null, Row, null>;
  return { found, set };
}

const columnsOf = ({ added, state }: Found<null, Row, null>): Columns<Row> => ({
  columns: [
    {
      id: 'qty',
      label: 'Quantity',
      width: 80,
      value: (one) => one.qty,
      format: qty,
      foot: qty(sum(added.map((one) => one.qty))),
      onPick: (one) =>
        state.openCell({ from: 'f', to: 't', storeId: null, itemId: one?.id ?? null }),
    },
    { id: 'unit', label: 'Unit', width: 50, value: (one) => one.unit },
    { id: 'share', label: 'Share', width: 50, value: () => 1, format: percent, foot: '100.0%' },
  ],
  total: {
    id: 'pesos',
    label: '₱',
    width: 90,
    value: (one) => one.pesos,
    format: amount,
    foot: amount(sum(added.map((one) => one.pesos))),
  },
});

describe('sums of several units', () => {
  const { found, set } = foundOf(rows);
  const made = columnsOf(found);

  it('are kept apart only where quantities are added up', () => {
    expect(addsByUnit(found.units, made)).toBe(true);
    expect(addsByUnit(unitsOf(rows.slice(1, 3)), made)).toBe(false);
    const pesos = { columns: made.columns.slice(1), total: made.total };
    expect(addsByUnit(found.units, pesos)).toBe(false);
  });

  it('stand below the rows of their unit', () => {
    const grouped = groupedByUnit(rows, found.units);
    const feet = feetOf(found, columnsOf, ({ unit }) => `Total in ${unit}`);
    expect(
      linesOf(grouped, feet).map(
        ({ row: one, foot }) =>
          one?.name ?? `${foot?.label}: ${foot?.columns[0]?.foot}, ${foot?.total?.foot}`,
      ),
    ).toEqual([
      'rice',
      'pork',
      'Total in kg: 3.75, 525.00',
      'salt',
      'Total in null: 7, 5.00',
      'eggs',
      'Total in pc: 30, 240.00',
    ]);
  });

  it('have a row for all units, of pesos only', () => {
    const whole = acrossUnits(found, columnsOf, made);
    expect(whole?.columns.map(({ foot }) => foot)).toEqual(['–', undefined, '–']);
    expect(whole?.total?.foot).toBe('770.00');
    const without = (one: Found<null, Row, null>) => ({ columns: columnsOf(one).columns });
    expect(acrossUnits(found, without, without(found))).toBeNull();
  });

  it('open the parts of their own unit', () => {
    columnsOf(inGroup(found, { unit: 'pc', items: 1 })).columns[0]?.onPick?.(null);
    expect(set).toHaveBeenCalledWith({ cell: 'f_t_*_*', unit: 'pc' }, true);
    // A dash has no parts.
    set.mockClear();
    acrossUnits(found, columnsOf, made)?.columns[0]?.onPick?.(null);
    expect(set).not.toHaveBeenCalled();
  });
});
