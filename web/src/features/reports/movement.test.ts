import { describe, expect, it, vi } from 'vitest';
import type { ReportState } from '#/reports/question/useReport';
import {
  columnsOf,
  footSays,
  type MovementRow,
  rowOf,
  type UnitMovement,
  unknownIn,
} from './movement';
import { daysOf, type Parts } from './movementDays';

const figures = {
  opening: 30,
  received: 4,
  transfersIn: 0,
  transfersOut: 2,
  waste: 1,
  theoreticalUse: 16,
  closing: 11,
  actualUse: 20,
  variance: -4,
};

const row = (rootItemId: string, more: Partial<MovementRow> = {}): MovementRow => ({
  ...rowOf({
    ...figures,
    storeId: 's',
    storeName: 'Makati',
    rootItemId,
    name: rootItemId,
    unit: 'kg',
    from: '2026-11-16',
    to: '2026-11-22',
    varianceValue: -200,
  }),
  ...more,
});

const units: UnitMovement[] = [
  { ...figures, unit: 'kg', items: 7, variance: -40, varianceValue: -260 },
  { ...figures, unit: 'pc', items: 3, variance: 5, varianceValue: 15 },
];

function shown(filtered: boolean, phone = false) {
  const set = vi.fn();
  const rows = [row('rice'), row('pork', { variance: 1.1, varianceValue: 55 })];
  const state = { phone, set } as unknown as ReportState;
  const answer = { units, value: { loss: -300, gain: 55, net: -245 }, total: 10 };
  const groups = [
    { unit: 'kg', items: 2 },
    { unit: 'pc', items: 1 },
  ];
  return {
    set,
    state,
    answer,
    chosen: {},
    all: rows,
    found: rows,
    rows,
    columns: [],
    added: rows,
    filtered,
    units: groups,
    group: groups[0] ?? null,
    unit: 'kg',
  };
}

describe('movement columns', () => {
  it('sum all rows of the unit in the footer, except balances', () => {
    const { columns, total } = columnsOf(shown(false), []);
    const foot = (id: string) => columns.find((one) => one.id === id)?.foot;
    expect([foot('variance'), foot('opening'), foot('closing')]).toEqual([
      '−40',
      undefined,
      undefined,
    ]);
    // The pesos of the same rows: those in kg.
    expect(total?.foot).toBe('−260.00');
    expect(footSays(shown(false))).toBe('Total of 7 rows in kg, the first 2 shown');
  });

  it('sum the filtered rows', () => {
    const { columns, total } = columnsOf(shown(true), []);
    expect(columns.find(({ id }) => id === 'variance')?.foot).toBe('−2.9');
    expect(total?.foot).toBe('−145.00');
    expect(footSays(shown(true))).toBe('Total of 2 shown in kg');
  });

  it('sum nothing where nothing was counted', () => {
    const asked = shown(false);
    const rows = ['rice', 'pork'].map((id) =>
      row(id, { actualUse: null, variance: null, varianceValue: null }),
    );
    const unknown = { actualUse: null, variance: null, varianceValue: null };
    const answer = {
      ...asked.answer,
      units: units.map((unit) => ({ ...unit, ...unknown })) as unknown as UnitMovement[],
    };
    const told = (more: object) => {
      const { columns, total } = columnsOf({ ...asked, added: rows, answer, ...more }, []);
      return [...columns.filter(({ id }) => id === 'variance' || id === 'actualUse'), total].map(
        (one) => one?.foot,
      );
    };
    expect(told({})).toEqual(['–', '–', '–']);
    expect(told({ filtered: true })).toEqual(['–', '–', '–']);
    // Rows that are not here were counted.
    expect(told({ answer: asked.answer })).toEqual(['20', '−40', '−260.00']);
  });

  it('show what is missing first on a phone', () => {
    const { columns, total } = columnsOf(shown(false, true), []);
    expect([columns[0]?.id, columns[1]?.id, total]).toEqual(['varianceValue', 'variance', null]);
  });

  it('end with the store, which stands beside every name', () => {
    expect(row('rice').kind).toBe('Makati');
    expect(columnsOf(shown(false), []).columns.at(-1)?.id).toBe('store');
    expect(columnsOf(shown(false, true), []).columns.at(-1)?.id).toBe('store');
  });

  it("open a figure's parts", () => {
    const asked = shown(false);
    const { columns } = columnsOf(asked, []);
    columns.find(({ id }) => id === 'waste')?.onPick?.(row('rice'));
    expect(asked.set).toHaveBeenCalledWith(
      { cell: '2026-11-16_2026-11-22_s_rice', figure: 'waste' },
      true,
    );
  });
});

it('counts rows with unknown use', () => {
  expect(unknownIn([row('a'), row('b', { actualUse: null })])).toBe(1);
});

const document = (way: 'received' | 'waste', seq: number) => ({
  seq,
  kind: way === 'waste' ? 'waste' : 'receipt',
  documentId: `d${seq}`,
  way,
  qty: 4,
  at: '2026-11-17T02:00:00Z',
});

const parts: Parts = {
  storeId: 's',
  storeName: 'Makati',
  rootItemId: 'rice',
  name: 'Rice',
  unit: 'kg',
  from: '2026-11-16',
  to: '2026-11-22',
  figures,
  openingCounts: [],
  truncated: false,
  days: [
    {
      ...figures,
      date: '2026-11-17',
      variance: 0,
      documents: [document('received', 1), document('waste', 2)],
      sold: 12,
      posItems: 1,
      counts: [],
    },
    {
      ...figures,
      date: '2026-11-18',
      theoreticalUse: 0,
      variance: -4,
      documents: [],
      sold: 0,
      posItems: 0,
      counts: [
        {
          date: '2026-11-18',
          session: 'closing',
          before: false,
          itemId: 'i',
          itemName: 'Rice, loose',
          qty: 11,
          rootQty: 11,
          at: '2026-11-18T13:00:00Z',
        },
      ],
    },
  ],
};

describe("a figure's parts", () => {
  const told = (figure: Parameters<typeof daysOf>[1]) =>
    daysOf(parts, figure).map(({ date, documents, counts, used, variance }) => [
      date.slice(8),
      documents.length,
      counts.length,
      used,
      variance,
    ]);

  it('are all documents, sales and counts without a figure', () => {
    expect(told(null)).toEqual([
      ['17', 2, 0, 16, null],
      ['18', 0, 1, null, -4],
    ]);
  });

  it('are only the documents of its kind of movement', () => {
    expect(told('waste')).toEqual([['17', 1, 0, null, null]]);
    expect(told('transfersIn')).toEqual([]);
  });

  it('are the sales days for theoretical use', () => {
    expect(told('theoreticalUse')).toEqual([['17', 0, 0, 16, null]]);
  });

  it('are sales and counts for a variance, documents and counts for actual use', () => {
    expect(told('variance')).toEqual([
      ['17', 0, 0, 16, null],
      ['18', 0, 1, null, -4],
    ]);
    expect(told('actualUse')).toEqual([
      ['17', 2, 0, null, null],
      ['18', 0, 1, null, -4],
    ]);
  });
});
