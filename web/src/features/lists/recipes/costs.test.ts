import { expect, it } from 'vitest';
import { batchCost } from './costs';

const prices = new Map([
  ['flour', 50],
  ['salt', 20.33],
  ['yeast', null],
]);
const values = (yieldQty: string) => ({
  yieldQty,
  rootItems: [
    { rootItemId: 'flour', qty: '2,5' },
    { rootItemId: 'salt', qty: '0.5' },
    { rootItemId: 'yeast', qty: '1' },
    { rootItemId: null, qty: '9' },
    { rootItemId: 'flour', qty: '' },
  ],
});

// The server's own figures: 125.00 + 10.165, rounded up; a third of it.
it('computes as the server does, and names items without a price', () => {
  expect(batchCost(values('3'), prices)).toEqual({
    cost: 135.17,
    unitCost: 45.06,
    missing: ['yeast'],
    lines: 3,
  });
});

it('has no unit cost without a yield', () => {
  expect(batchCost(values(''), prices).unitCost).toBeNull();
  expect(batchCost(values('0'), prices).unitCost).toBeNull();
  expect(batchCost({ yieldQty: '1', rootItems: [] }, prices)).toMatchObject({ cost: 0, lines: 0 });
});
