import { describe, expect, it } from 'vitest';
import type { OrderHead } from '#/documents/orders';
import type { Cell } from '../kitchenOrders';
import { kitchensOf, toDeliver } from './toDeliver';

const order = (id: string, more: Partial<OrderHead> = {}) =>
  ({
    id,
    storeId: 'makati',
    sourceType: 'commissary',
    sourceId: 'pasig',
    neededDate: '2026-11-26',
    ...more,
  }) as OrderHead;
const cell = (orderId: string, sendable: number) => ({ orderId, sendable }) as Cell;

describe('the orders of a new delivery', () => {
  const orders = [
    order('whole'),
    order('sent', { status: 'inFulfilment', neededDate: '2026-11-28' }),
    order('part', { status: 'inFulfilment' }),
    order('other', { storeId: 'pasay' }),
    order('stored', { sourceType: 'warehouse', sourceId: 'depot' }),
    order('bought', { sourceType: 'supplier', sourceId: 'dairy' }),
  ];
  const cells = new Map([
    [
      'pasig',
      [cell('whole', 4), cell('whole', 2), cell('sent', 0), cell('part', 0), cell('part', 1)],
    ],
  ]);
  const offered = (known: typeof cells) =>
    toDeliver(orders, known, [{ id: 'd1', deliveryNo: 'DL-1', orderIds: ['part'] }]).map(
      ({ key, orders: of }) => [
        key,
        of.map((one) => [one.order.id, one.left, one.carriedBy?.deliveryNo ?? '']),
      ],
    );

  it('are those with something left to send', () => {
    expect(offered(cells)).toEqual([
      [
        'makati pasig',
        [
          ['whole', 2, ''],
          ['part', 1, 'DL-1'],
        ],
      ],
      ['makati depot', [['stored', null, '']]],
    ]);
  });

  it('are all of a kitchen of which nothing is known', () => {
    expect(offered(new Map()).map(([key]) => key)).toEqual([
      'makati pasig',
      'pasay pasig',
      'makati depot',
    ]);
  });

  it('are asked of each kitchen until the last day', () => {
    expect(kitchensOf(orders)).toEqual([{ id: 'pasig', until: '2026-11-28' }]);
  });
});
