import { describe, expect, it } from 'vitest';
import { BASE_UNIT } from './draft';
import { filterItems, itemByCode, unitByCode } from './itemOrder';
import type { Item } from './types';

const item = (id: string, more: Partial<Item>): Item => ({ id, name: id, packs: [], ...more });
const soda = item('Soda', {
  uomId: 'pc',
  barcode: '036000291452',
  packs: [{ uomId: 'case', factor: 24 }],
  productBarcodes: [
    { code: '4800012345678', uomId: 'pc' },
    { code: '14800012345675', uomId: 'case' },
    { code: '222222', uomId: 'pallet' },
  ],
});
/** Stands for the same product, counted in cases only. */
const cases = item('Soda, cases', { uomId: 'case', productBarcodes: soda.productBarcodes ?? [] });
const rice = item('Rice', { uomId: 'kg', code: 'RC-100' });
const items = [rice, cases, soda];

describe('a scanned code', () => {
  it('finds an item by its own barcode or code', () => {
    expect(itemByCode(items, '0036000291452')).toBe(soda);
    expect(itemByCode(items, 'rc-100')).toBe(rice);
    expect(itemByCode(items, '999999')).toBeUndefined();
    expect(unitByCode(soda, '036000291452'), 'its usual field').toBeNull();
  });

  it('finds an item by a barcode of its product, and the field of its unit', () => {
    expect(itemByCode(items, '4800012345678'), 'the one counted in pieces').toBe(soda);
    expect(unitByCode(soda, '4800012345678')).toBe(BASE_UNIT);
    expect(itemByCode([rice, soda], '14800012345675')).toBe(soda);
    expect(unitByCode(soda, '14800012345675')).toBe('case');
    expect(itemByCode(items, '222222'), 'in a unit that nothing is counted in').toBe(cases);
    expect(unitByCode(cases, '222222')).toBeNull();
  });

  it('narrows the list when it is typed', () => {
    expect(filterItems(items, '4800012')).toEqual(new Set(['Soda', 'Soda, cases']));
  });
});
