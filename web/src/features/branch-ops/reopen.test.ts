import { describe, expect, it } from 'vitest';
import { joined, placeOf } from './reopen';

describe('reopening a refused document', () => {
  it('merges it with the draft begun meanwhile', () => {
    expect(joined({ lines: ['a'], photos: ['p'] }, { lines: ['b'], photos: [] })).toEqual({
      lines: ['a', 'b'],
      photos: ['p'],
    });
    expect(joined({ lines: { a: 1 } }, { lines: { a: 2, b: 3 } }).lines).toEqual({ a: 1, b: 3 });
    expect(joined({ lines: ['a'] }, null)).toEqual({ lines: ['a'] });
  });

  it('opens it on its original screen', () => {
    const place = placeOf({ kind: 'receive', storeId: 's', subject: 'd 1' });
    expect(place).toEqual({ path: '/branch-ops/receive/d%201', draft: 'receive:d 1' });
    // Kept before its name had a day.
    const order = { kind: 'order', storeId: 's', subject: 'commissary:c1' } as const;
    expect(placeOf({ ...order, body: { neededDate: '2026-11-28' } })).toEqual({
      path: '/branch-ops/order/commissary%3Ac1%3A2026-11-28',
      draft: 'order:s:commissary:c1:2026-11-28',
    });
    expect(placeOf({ kind: 'waste', storeId: 's', subject: null }).path).toBe('/branch-ops/waste');
  });
});
