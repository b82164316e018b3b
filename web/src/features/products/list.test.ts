import { describe, expect, it } from 'vitest';
import { chosenChanges, defaultChoices, differences } from '#/lists/merge/choices';
import type { Product } from './api';
import { namedKinds, productList } from './list';

const product = (id: string, more: Partial<Product>): Product => ({
  id,
  name: id,
  type: 'Inventory',
  otherUoms: [],
  conversions: [],
  barcodes: [],
  rootItemConversions: [],
  priceLevelPrices: [],
  quantity: 0,
  inactive: false,
  createdAt: '2026-11-20T00:00:00.000Z',
  updatedAt: '2026-11-20T00:00:00.000Z',
  revision: 1,
  ...more,
});

describe('merging products', () => {
  it('compares what the server takes: numbers and yes or no, not the texts of the form', () => {
    const compared = differences(
      productList.fields,
      [
        product('Adobo', { sku: 'A-1' }),
        product('Adobo base', {
          sku: 'A-2',
          priceLevelPrices: [{ id: 'l1', priceLevelId: 'standard', price: 1234.5 }],
          otherUoms: [{ uomId: 'case', whole: true }],
        }),
      ],
      productList.compares,
    );
    expect(chosenChanges(compared, 0, defaultChoices(compared, 0))).toEqual({
      priceLevelPrices: [{ priceLevelId: 'standard', price: 1234.5 }],
      otherUoms: [{ uomId: 'case', whole: true }],
    });
  });

  it('moves recipes and templates; documents keep the product they were written with', () => {
    const moves = (kind: string) => productList.moves?.({ kind });
    expect(['recipe', 'orderTemplate', 'order', 'stockMovement', 'lot'].map(moves)).toEqual([
      true,
      true,
      false,
      false,
      false,
    ]);
  });

  it('knows the kinds of records that lines name, so that no id is shown', () => {
    expect(namedKinds).toEqual(expect.arrayContaining(['uoms', 'price-levels', 'root-items']));
  });
});
