import { describe, expect, it } from 'vitest';
import type { Field } from './types';
import { changedFields, fromRecord, merge, toWire, validate } from './values';

const fields: Field[] = [
  { kind: 'text', name: 'name', label: 'Name', required: true, max: 10 },
  { kind: 'decimal', name: 'weightKg', label: 'Weight' },
  { kind: 'integer', name: 'days', label: 'Days', blank: 0 },
  { kind: 'boolean', name: 'production', label: 'In production', initial: true },
  { kind: 'ref', name: 'areaId', label: 'Area', of: 'areas' },
  {
    kind: 'table',
    name: 'bom',
    label: 'Bill of materials',
    addLabel: 'Add',
    columns: [
      { name: 'rootProductId', label: 'Root item', kind: 'ref', of: 'root-items' },
      { name: 'multiplier', label: 'Multiplier', kind: 'decimal' },
    ],
  },
];
const values = (over: object = {}) => ({
  ...fromRecord(fields, {
    name: 'Rice',
    weightKg: 1.5,
    bom: [{ rootProductId: 'r', multiplier: 2 }],
  }),
  ...over,
});

describe('form values', () => {
  it('round trip a record', () => {
    expect(toWire(fields, values())).toEqual({
      name: 'Rice',
      weightKg: 1.5,
      days: 0,
      production: true,
      areaId: null,
      bom: [{ rootProductId: 'r', multiplier: 2 }],
    });
  });

  it('let a switch follow other fields until the user sets it', () => {
    const unit: Field[] = [
      { kind: 'text', name: 'code', label: 'Code' },
      { kind: 'boolean', name: 'whole', label: 'Whole', initial: ({ code }) => code === 'tub' },
    ];
    const blank = fromRecord(unit, null);
    expect(toWire(unit, { ...blank, code: 'tub' }).whole).toBe(true);
    expect(toWire(unit, { ...blank, code: 'kg' }).whole).toBe(false);
    expect(toWire(unit, { ...blank, code: 'tub', whole: false }).whole).toBe(false);
    expect(fromRecord(unit, { code: 'tub', whole: false }).whole).toBe(false);
  });

  it('accept decimal commas and drop empty lines', () => {
    const wire = toWire(
      fields,
      values({
        weightKg: '0,25',
        bom: [
          { rootProductId: 'r', multiplier: '1,5' },
          { rootProductId: null, multiplier: '' },
        ],
      }),
    );
    expect(wire.weightKg).toBe(0.25);
    expect(wire.bom).toEqual([{ rootProductId: 'r', multiplier: 1.5 }]);
  });

  it('send only what changed', () => {
    const before = toWire(fields, values());
    expect(changedFields(before, toWire(fields, values({ name: ' Rice ' })))).toEqual({});
    expect(changedFields(before, toWire(fields, values({ weightKg: '' })))).toEqual({
      weightKg: null,
    });
  });

  it('explain each invalid field', () => {
    expect(
      validate(
        fields,
        values({
          name: ' ',
          weightKg: 'abc',
          days: '1.5',
          bom: [{ rootProductId: null, multiplier: '0' }],
        }),
      ),
    ).toEqual({
      name: 'Enter a name.',
      weightKg: 'Enter a number, such as 12.5.',
      days: 'Enter a whole number.',
      'bom.0.rootProductId': 'Choose a root item.',
      'bom.0.multiplier': 'Enter a number above zero.',
    });
    expect(validate(fields, values())).toEqual({});
    expect(validate(fields, values({ name: 'A very long name' })).name).toMatch(/at most 10/);
  });
});

describe('addresses, choices and signed money', () => {
  const some: Field[] = [
    { kind: 'email', name: 'email', label: 'Email' },
    { kind: 'web', name: 'website', label: 'Website' },
    { kind: 'money', name: 'balance', label: 'Balance', signed: true },
    { kind: 'money', name: 'price', label: 'Price' },
    {
      kind: 'enum',
      name: 'detail',
      label: 'Detail',
      options: [],
      optionsFor: ({ type }) => (type === 'Bank' ? [{ value: 'Savings', label: 'Savings' }] : []),
    },
    { kind: 'choice', name: 'kind', label: 'Kind', options: [], initial: 'other' },
    { kind: 'text', name: 'type', label: 'Type', required: true, locked: 'Fixed.' },
  ];
  const wrong = (over: object) => validate(some, { ...fromRecord(some, null), ...over });

  it('are told apart from invalid ones', () => {
    expect(wrong({ email: 'ana@larder.example', website: 'larder.example' })).toEqual({});
    expect(wrong({ email: 'ana@', website: 'javascript:alert(1)' })).toEqual({
      email: expect.stringContaining('email address'),
      website: expect.stringContaining('https://'),
    });
  });

  it('may be negative only if declared so', () => {
    expect(wrong({ balance: '-5', price: '-5' })).toEqual({ price: 'Enter 0 or more.' });
    expect(toWire(some, { ...fromRecord(some, null), balance: '−1,234.50' }).balance).toBe(-1234.5);
  });

  it('depend on the other fields, and are not required while locked', () => {
    expect(wrong({ type: 'Bank', detail: 'Savings' })).toEqual({});
    expect(wrong({ type: 'Equity', detail: 'Savings' }).detail).toBe('Choose a detail.');
    expect(fromRecord(some, null).kind).toBe('other');
  });
});

describe("merging with another user's changes", () => {
  const base = { name: 'A', weightKg: 1, areaId: null };
  const some = fields.filter(({ name }) => name in base);

  it('keeps both sides if they touched different fields', () => {
    const { merged, conflicts, differences } = merge(
      some,
      base,
      { name: 'B', weightKg: 1, areaId: null },
      { name: 'A', weightKg: 2, areaId: null },
    );
    expect(merged).toEqual({ name: 'B', weightKg: 2, areaId: null });
    expect(conflicts).toEqual([]);
    expect(differences.map(({ field, by }) => [field.name, by])).toEqual([
      ['name', 'me'],
      ['weightKg', 'them'],
    ]);
  });

  it('asks if both changed the same field', () => {
    const { conflicts } = merge(some, base, { ...base, name: 'B' }, { ...base, name: 'C' });
    expect(conflicts).toMatchObject([{ mine: 'B', theirs: 'C' }]);
  });
});

describe('several records in one field', () => {
  const stores: Field[] = [
    { kind: 'refs', name: 'storeIds', label: 'Stores', of: 'stores', none: 'All stores' },
  ];

  it('round trip, and none of them is null', () => {
    for (const storeIds of [null, ['a'], ['a', 'b']]) {
      expect(toWire(stores, fromRecord(stores, { storeIds }))).toEqual({ storeIds });
    }
    expect(toWire(stores, fromRecord(stores, { storeIds: [] }))).toEqual({ storeIds: null });
  });

  it('count as changed when one is added', () => {
    const [before, after] = [{ storeIds: ['a'] }, { storeIds: ['a', 'b'] }];
    expect(changedFields(before, after)).toEqual(after);
    expect(changedFields(before, { storeIds: ['a'] })).toEqual({});
  });
});
