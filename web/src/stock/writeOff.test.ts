import { describe, expect, it } from 'vitest';
import { sentLine } from '#/features/branch-ops/DocLines';
import { emptyWaste, recalledLine, wasteFault, withLine } from '#/features/branch-ops/waste/form';
import type { Recall } from './api';
import { askedOf, itemOf, recallOf, writeOffAddress } from './writeOff';

const lying = (change: Partial<Recall> = {}): Recall => ({
  storeId: 's1',
  placeKind: 'store',
  placeId: 's1',
  placeName: 'Cubao',
  productId: 'p1',
  name: 'Rolls',
  lot: 'R/77 a',
  qty: 40.5,
  likely: 40.5,
  atLeast: 0,
  atMost: 60,
  came: 60,
  left: 0,
  cameLessLeft: 60,
  uomId: 'u1',
  uomCode: 'pc',
  recalledAt: '2026-11-24T00:00:00Z',
  ...change,
});

describe('writing off a recalled lot', () => {
  it('opens a waste report with the store, the product and the lot', () => {
    const address = writeOffAddress([lying(), lying({ placeKind: 'inTransit' })]) ?? '';
    expect(address).toBe('/stores/transactions/waste/new?store=s1&product=p1&lot=R%2F77+a');
    const asked = askedOf(new URL(address, 'http://console').searchParams);
    expect(asked).toEqual({ product: 'p1', lot: 'R/77 a' });
    expect(
      recallOf([lying({ lot: 'other' }), lying()], asked ?? { product: '', lot: '' })?.qty,
    ).toBe(40.5);
  });

  it('is not offered if the lot is in transit, gone, or in several stores', () => {
    expect(writeOffAddress([lying({ placeKind: 'inTransit' })])).toBeNull();
    expect(writeOffAddress([lying({ qty: 0 })])).toBeNull();
    expect(writeOffAddress([lying({ placeKind: 'commissary', storeId: null })])).toBeNull();
    expect(writeOffAddress([lying(), lying({ storeId: 's2' })])).toBeNull();
    expect(askedOf(new URLSearchParams('product=p1'))).toBeNull();
    expect(recallOf([lying({ qty: 0 })], { product: 'p1', lot: 'R/77 a' })).toBeUndefined();
  });

  it('fills in what is likely left, not all that came', () => {
    expect(itemOf(lying())).toEqual({
      productId: 'p1',
      name: 'Rolls',
      uomId: 'u1',
      unit: 'pc',
      qty: 40.5,
    });
    const line = recalledLine(lying());
    expect(wasteFault(line)).toBeNull();
    expect(sentLine(line)).toEqual({ productId: 'p1', lot: 'R/77 a', uomId: 'u1', qty: 40.5 });
    expect(line.reason).toBe('recalled');
  });

  it('puts the lot before what was typed, once', () => {
    const typed = { ...recalledLine(lying({ lot: 'typed' })), key: 'typed' };
    const form = { ...emptyWaste(), lines: [typed] };
    const line = recalledLine(lying());
    const once = withLine(form, line);
    expect(once.lines.map(({ key }) => key)).toEqual([line.key, 'typed']);
    const changed = { ...once, lines: once.lines.map((one) => ({ ...one, qty: '7' })) };
    expect(withLine(changed, line)).toBe(changed);
  });
});
