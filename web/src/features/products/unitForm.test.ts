import { describe, expect, it } from 'vitest';
import { fromRecord, toWire } from '#/form/values';
import { checkPrices, fields, NEW, toForm, toServer } from './fields';
import { layoutUnits } from './parts/graph';
import { unitProblems, unitsOfForm } from './unitForm';

const values = (over: object) => ({ ...fromRecord(fields, NEW), ...over });
const line = (fromUomId: string | null, factor: string, toUomId: string | null) => ({
  fromUomId,
  factor,
  toUomId,
});

describe('units being typed', () => {
  it('are not checked on incomplete lines', () => {
    const typed = values({
      baseUom: 'pc',
      otherUoms: [{ uomId: null, whole: 'yes' }],
      conversions: [line('case', '', 'pc'), line('pack', '6', null), line(null, '', null)],
    });
    expect(unitProblems(typed)).toEqual({});
    expect(unitProblems(values({ conversions: [line(null, '', null)] }))).toEqual({});
  });

  it('keep their numbers beside an incomplete line', () => {
    const typed = values({
      baseUom: 'pc',
      conversions: [
        line('case', '', null),
        line('pack', '6', 'pc'),
        line('case', '4', 'pack'),
        line('case', '25', 'pc'),
      ],
    });
    expect(unitProblems(typed)).toEqual({
      'conversions.3.factor': 'By lines 2 and 3 this is 24; correct one of these lines.',
    });
    expect(unitsOfForm(typed).lines.map(({ at }) => at)).toEqual([1, 2, 3]);
  });

  it('report gaps at the field', () => {
    const typed = values({
      baseUom: 'pc',
      defaultSellingUom: 'case',
      otherUoms: [{ uomId: 'case' }],
    });
    expect(Object.keys(unitProblems(typed))).toEqual(['otherUoms.0.uomId', 'defaultSellingUom']);
    expect(unitProblems({ ...typed, conversions: [line('case', '0,5', 'pc')] })).toEqual({});
  });
});

describe('the drawing of units', () => {
  it('puts the base at the left and unconnected units below', () => {
    const { nodes, edges } = layoutUnits({
      base: 'pc',
      selling: 'case',
      others: ['box'],
      lines: [
        { at: 0, from: 'pack', to: 'pc', factor: 6_000_000_000n },
        { at: 1, from: 'case', to: 'pack', factor: 4_000_000_000n },
        { at: 2, from: 'case', to: 'pc', factor: 24_000_000_000n },
      ],
    });
    const at = (unit: string) => nodes.find((node) => node.unit === unit);
    expect(at('pc')).toMatchObject({ x: 0, y: 0, base: true, worth: '1' });
    expect(at('case')).toMatchObject({ worth: '24' });
    expect(at('box')).toMatchObject({ x: 0, worth: null });
    expect(at('box')?.y).toBeGreaterThan(at('case')?.y ?? 0);
    expect(edges.filter(({ closing }) => closing).map((edge) => edge.at)).toEqual([1]);
    const places = nodes.map(({ x, y }) => `${x} ${y}`);
    expect(new Set(places).size).toBe(places.length);
  });
});

describe('a product and its form', () => {
  const product = {
    ...NEW,
    name: 'Adobo base',
    otherUoms: [
      { uomId: 'case', whole: true },
      { uomId: 'kg', whole: false },
    ],
    conversions: [{ fromUomId: 'case', toUomId: 'pc', factor: 0.000000001 }],
    rootItemConversions: [{ rootItemId: 'r', factor: 0.333333333 }],
    priceLevelPrices: [{ priceLevelId: 'l', price: 0 }],
  } as unknown as Parameters<typeof toForm>[0];

  it('round trip', () => {
    const wire = toServer(toWire(fields, fromRecord(fields, toForm(product))));
    for (const name of ['otherUoms', 'conversions', 'rootItemConversions', 'priceLevelPrices']) {
      expect(wire[name]).toEqual(product[name as 'otherUoms']);
    }
  });

  it('accepts a zero price, not a negative one', () => {
    const prices = (price: string) => values({ priceLevelPrices: [{ priceLevelId: 'l', price }] });
    expect(checkPrices(prices('0'))).toEqual({});
    expect(checkPrices(prices('-1'))['priceLevelPrices.0.price']).toBe('Enter 0 or more.');
    expect(checkPrices(prices('x'))['priceLevelPrices.0.price']).toMatch(/^Enter a price/);
  });
});
