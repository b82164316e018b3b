import { describe, expect, it } from 'vitest';
import { byCode, codeKey, scannedLine } from './barcodes';

describe('codes', () => {
  it('are compared as the server compares them', () => {
    const codes = ['036000291452', '0036000291452', '00036000291452', ' 0036000291452 '];
    expect(new Set(codes.map(codeKey))).toEqual(new Set(['0036000291452']));
    expect(['14800012345675', '007', '7', 'Larder-Case 1'].map(codeKey)).toEqual([
      '14800012345675',
      '007',
      '7',
      'larder-case 1',
    ]);
  });
});

describe('a scanned code', () => {
  const barcodes = byCode([
    { code: '4800012345678', productId: 'soda', uomId: 'pc' },
    { code: '14800012345675', productId: 'soda', uomId: 'case' },
    { code: '999999', productId: 'gone', uomId: 'pc' },
  ]);
  const lines = [
    { id: 1, productId: 'tea', uomId: 'pc', sku: '888888' },
    { id: 2, productId: 'soda', uomId: 'pc', sku: 'S-1' },
    { id: 3, productId: 'soda', uomId: 'case', sku: 'S-1' },
  ];
  const find = (code: string) => scannedLine(lines, code, barcodes)?.id;

  it('finds the line in its unit, else the first of its product', () => {
    expect(find('4800012345678')).toBe(2);
    expect(find('14800012345675')).toBe(3);
    expect(scannedLine(lines.slice(0, 2), '14800012345675', barcodes)?.id).toBe(2);
  });

  it('finds a line by its SKU, and nothing for an unknown code', () => {
    expect(find('888888')).toBe(1);
    expect(find('s-1')).toBe(2);
    expect(find('999999')).toBeUndefined();
    expect(find('123456')).toBeUndefined();
  });

  it('finds lines that a device kept before it knew their products', () => {
    expect(scannedLine([{ sku: 'S-1' }], 'S-1', barcodes)).toEqual({ sku: 'S-1' });
    expect(scannedLine([{ sku: null }], '4800012345678', barcodes)).toBeUndefined();
  });
});
