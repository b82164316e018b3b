// A kitchen to be counted.

import type { Api } from '../support/test.ts';

export interface Made {
  id: string;
}

/** The barcode of the butter. */
export const BUTTER = '4800012345678';

/** A kitchen with 96 buns, and ten kilos of butter in the chiller. */
export async function kitchen(api: Api) {
  const make = (path: string, body: object) => api.call<Made>('POST', path, body);
  const place = await make('/api/lists/commissaries', { name: 'Pasig kitchen' });
  const chiller = await make('/api/lists/storage-requirements', { name: 'Chiller' });
  const piece = await make('/api/lists/uoms', { name: 'Piece', code: 'pc' });
  const kilo = await make('/api/lists/uoms', { name: 'Kilo', code: 'kg' });
  const buns = await make('/api/products', { name: 'Buns', sku: 'BUN', baseUom: piece.id });
  const butter = await make('/api/products', {
    name: 'Butter',
    sku: 'BUT',
    baseUom: kilo.id,
    storageRequirement: chiller.id,
    barcodes: [{ code: BUTTER, uomId: kilo.id }],
  });
  for (const [product, quantity] of [
    [buns, 96],
    [butter, 10],
  ] as const) {
    await api.call('POST', `/api/products/${product.id}/adjust`, {
      quantity,
      placeKind: 'commissary',
      placeId: place.id,
    });
  }
  return { buns, butter };
}

export const stockOf = async (api: Api, product: Made) => {
  const stock = await api.call<{ places: { qty: number }[] }>('GET', `/api/products/${product.id}/stock`);
  return stock.places.map(({ qty }) => qty);
};
