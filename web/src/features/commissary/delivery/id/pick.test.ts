import { describe, expect, it } from 'vitest';
import { byCode } from '#/api/barcodes';
import type { ShipmentLine } from '#/documents/deliveries';
import { lineOfCode } from './pick';

const line = (id: string, productId: string, name: string, sku: string, lot: string) =>
  ({ id, productId, name, sku, lot }) as ShipmentLine;
const ube = line('1', 'u', 'Ube halaya, 2 kg tub', 'UB-1', 'L1');
const later = line('2', 'u', 'Ube halaya, 2 kg tub', 'UB-1', 'L2');
const cake = line('3', 'c', 'Ube cake, tray', 'CK-1', 'L1');
const lines = [ube, later, cake];

describe('finding a line by code', () => {
  it('matches the SKU, the first open lot first', () => {
    expect(lineOfCode(lines, lines, 'ub-1')).toBe(ube);
    expect(lineOfCode(lines, [later, cake], 'UB-1')).toBe(later);
  });

  it('matches its lot or a part of its name', () => {
    expect(lineOfCode(lines, lines, 'L2')).toBe(later);
    expect(lineOfCode(lines, lines, 'cake')).toBe(cake);
  });

  it('does not guess between several products', () => {
    expect(lineOfCode(lines, lines, 'L1')).toBe('several');
    expect(lineOfCode(lines, lines, 'ube')).toBe('several');
  });

  it('matches a barcode, first the lines in its unit', () => {
    const inCases = { ...later, uomId: 'case' } as ShipmentLine;
    const barcodes = byCode([{ code: '4800012345678', productId: 'u', uomId: 'case' }]);
    const all = [ube, inCases, cake];
    expect(lineOfCode(all, all, '4800012345678', barcodes)).toBe(inCases);
    expect(lineOfCode(all, [ube, cake], '4800012345678', barcodes)).toBe(inCases);
    expect(lineOfCode([ube, cake], [ube, cake], '4800012345678', barcodes)).toBe(ube);
    expect(lineOfCode(all, all, '4800012345679', barcodes)).toBeNull();
  });

  it('may find a picked line, or none', () => {
    expect(lineOfCode(lines, [], 'CK-1')).toBe(cake);
    expect(lineOfCode(lines, lines, 'nothing')).toBeNull();
    expect(lineOfCode(lines, lines, ' ')).toBeNull();
  });
});
