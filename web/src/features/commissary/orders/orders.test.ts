import { describe, expect, it } from 'vitest';
import type { Cell, Product, SharedOut, Store } from '../kitchenOrders';
import { figuresOf } from './columns';
import {
  approvingText,
  leftToSend,
  narrow,
  type Row,
  rowsOf,
  sendText,
  storeLabel,
} from './figures';
import { pickList, toSend } from './picking';
import {
  decide,
  explain,
  leftOf,
  meanwhile,
  NO_SHARES,
  sharesOf,
  stampOf,
  wordsOf,
  wrong,
  wrongCells,
} from './sharing';

const product = (id: string, more: Partial<Product> = {}): Product => ({
  productId: id,
  sku: id.toUpperCase(),
  name: `Product ${id}`,
  imageUrl: null,
  storageRequirementId: null,
  storageRequirement: 'Chilled',
  uomId: 'case',
  uomCode: 'case',
  whole: true,
  factor: 24,
  baseUomCode: 'pc',
  made: false,
  ordered: 0,
  cut: 0,
  approved: 0,
  sent: 0,
  closedShort: 0,
  toSend: 0,
  sendable: 0,
  onHand: 0,
  unusable: 0,
  incoming: 0,
  covered: 0,
  short: 0,
  shortWaiting: 0,
  toProduce: 0,
  ...more,
});

const line = (id: string, store: string, order: string, more: Partial<Cell> = {}): Cell => ({
  storeId: store,
  productId: 'bun',
  orderId: order,
  orderLineId: id,
  uomCode: 'case',
  factor: 24,
  ordered: 4,
  cut: 0,
  approved: 4,
  sent: 0,
  toSend: more.toSend ?? 4,
  sendable: more.toSend ?? 4,
  closedShort: 0,
  share: null,
  ...more,
});

const order = (id: string, status = 'submitted', more = {}) => ({
  id,
  orderNo: `SO-${id}`,
  status,
  neededDate: '2026-11-26',
  revision: 1,
  late: false,
  ...more,
});

const stores: Store[] = [
  { storeId: 'makati', name: 'Makati', orders: [order('1'), order('2', 'approved')] },
  { storeId: 'pasay', name: 'Pasay', orders: [order('3', 'approved')] },
];

const cells = [
  line('a', 'makati', '1'),
  // A loose order of the same product, in pieces.
  line('b', 'makati', '2', { uomCode: 'pc', factor: 1, ordered: 48, toSend: 48, approved: 48 }),
  line('c', 'pasay', '3', { ordered: 6, toSend: 6, approved: 6 }),
];

const rows = rowsOf({ products: [product('bun', { onHand: 144, short: 144 })], cells });
const byId = new Map(rows.map((row) => [row.id, row]));
const row = rows[0] as Row;
const cellOf = (store: string) => {
  const cell = row.cells.get(store);
  if (!cell) throw new Error('no cell');
  return cell;
};

const shared = (more: Partial<SharedOut['products'][number]> = {}, hand = ''): SharedOut => ({
  written: false,
  orders: [],
  products: [
    {
      productId: 'bun',
      available: 144,
      wanted: 288,
      given: 144,
      days: null,
      lines: (
        [
          ['a', 'makati', '1', 4, 2],
          ['b', 'makati', '2', 48, 24],
          ['c', 'pasay', '3', 6, 3],
        ] as const
      ).map(([orderLineId, storeId, orderId, wanted, share]) => ({
        orderLineId,
        storeId,
        orderId,
        wanted,
        share,
        byHand: orderLineId === hand,
        position: null,
        dailyUse: null,
      })),
      ...more,
    },
  ],
});

describe('figures', () => {
  it("add up a store’s orders in the product's unit", () => {
    expect(cellOf('makati')).toMatchObject({ ordered: 6, toSend: 6 });
    expect(cellOf('makati').lines).toHaveLength(2);
  });

  it('show what can be sent of what is to be sent', () => {
    const half = rowsOf({
      products: [product('bun')],
      cells: [line('a', 'makati', '1', { sendable: 3 }), line('c', 'pasay', '3')],
    });
    const texts = [...(half[0]?.cells.values() ?? [])].map(sendText);
    expect(texts).toEqual(['3 of 4', '4']);
  });

  it('show what is covered and short of what is to be sent, and the steps before once there are any', () => {
    const ids = (more: Partial<Product>) =>
      figuresOf(rowsOf({ products: [product('bun', more)], cells: [] })).map(({ id }) => id);
    const supply = ['toSend', 'onHand', 'incoming', 'covered', 'short', 'toProduce'];
    expect(ids({})).toEqual(['ordered', ...supply]);
    expect(ids({ cut: 24 })).toEqual(['ordered', 'cut', 'approved', ...supply]);
    expect(ids({ sent: 24, closedShort: 24 })).toEqual([
      'ordered',
      'approved',
      'sent',
      'closedShort',
      ...supply,
    ]);
  });

  it('are found by words in any order, and by storage', () => {
    const all = rowsOf({
      products: [
        product('x', { name: 'Fish sauce, 1 gallon' }),
        product('y', { name: 'Sauce, soy', storageRequirement: null }),
      ],
      cells: [],
    });
    const ids = (asked: Partial<Parameters<typeof narrow>[1]>) =>
      narrow(all, { q: '', storage: '', ...asked }).map(({ id }) => id);
    expect(ids({ q: 'sauce fish' })).toEqual(['x']);
    expect(ids({ q: 'sauce' })).toEqual(['x', 'y']);
    expect(ids({ storage: 'Chilled' })).toEqual(['x']);
  });

  it('describe the state of a store’s orders', () => {
    const left = new Set(['1', '2', '3']);
    expect(stores.map((store) => storeLabel(store, '2026-11-26', left))).toEqual([
      '2 orders',
      'approved',
    ]);
    const late = { ...stores[1], orders: [order('3', 'inFulfilment')] } as Store;
    expect(storeLabel(late, '2026-11-27', left)).toBe('late, part sent');
    expect(
      storeLabel(late, '2026-11-27', leftToSend([line('x', 'pasay', '3', { toSend: 0 })])),
    ).toBe('all sent');
  });
});

describe('saving shares', () => {
  it('names the orders it approves and their stores, and those approved before', () => {
    expect(approvingText(stores)).toBe(
      '1 order of 1 store is approved, and the shares of 2 orders approved before are saved with them.',
    );
    expect(approvingText(stores.slice(1))).toBe('The shares are saved in 1 order.');
    const both = stores.map((store) => ({ ...store, orders: [order(store.storeId)] }));
    expect(approvingText(both)).toBe('2 orders of 2 stores are approved.');
  });
});

describe('shares', () => {
  const shares = sharesOf(byId, shared());

  it('are summed by cell, and the remainder by product', () => {
    expect(shares.cells.get('bun makati')).toMatchObject({ wanted: 6, share: 3, byHand: false });
    expect(leftOf(row, shares)).toBe(0);
    expect(leftOf(row, NO_SHARES)).toBeNull();
  });

  it('typed by hand go to the earlier order first, each in its own unit', () => {
    const decided = decide(byId, shares, [{ cell: 'bun makati', value: 5 }]);
    expect(decided.lines).toEqual([
      { orderLineId: 'a', qty: 4 },
      { orderLineId: 'b', qty: 24 },
    ]);
    expect(decided).toMatchObject({ products: ['bun'], cells: ['bun makati', 'bun makati'] });
  });

  it('that are invalid are not sent', () => {
    const typed = [7, -1, Number.NaN, null].map((value) => ({ cell: 'bun makati', value }));
    expect(decide(byId, shares, typed).lines).toEqual([]);
    expect(decide(byId, shares, [{ cell: 'bun elsewhere', value: 1 }]).lines).toEqual([]);
    expect(wrong(7, 6, 'case')).toBe('At most 6 case were ordered.');
    expect(wrong(6, 6, 'case')).toBeNull();
  });

  it('refused by the server are marked in their cells', () => {
    const fields = [
      { field: 'lines.1.qty', message: 'Only 2 case are left.' },
      { field: 'neededDate', message: 'Choose a day.' },
    ];
    expect([...wrongCells(fields, ['one', 'two'])]).toEqual([
      ['two/share', 'Only 2 case are left.'],
    ]);
  });

  it('are explained', () => {
    const say = (store: string, answer: SharedOut, method: 'proportional' | 'equalCover') =>
      explain(row, cellOf(store), sharesOf(byId, answer), method);
    expect(say('pasay', shared(), 'proportional')).toBe(
      '3 of 6 case: 6 case for 12 ordered is 50%; 50% of 6 is 3.',
    );
    expect(say('pasay', shared({ available: 130 }), 'proportional')).toContain(
      'is 2.708, rounded up: its remainder is among the largest.',
    );
    expect(say('pasay', shared({ available: 400 }), 'proportional')).toContain(
      'enough for all stores',
    );
    expect(say('pasay', shared({}, 'c'), 'proportional')).toBe('Changed by hand: 3 of 6 case.');
    expect(say('makati', shared({}, 'c'), 'proportional')).toContain(
      'After what was decided by hand, 3 case for 6 ordered',
    );
    const use = shared({ days: 2.5 });
    for (const one of use.products[0]?.lines ?? [])
      Object.assign(one, { position: 48, dailyUse: 48 });
    expect(say('pasay', use, 'equalCover')).toBe(
      '3 of 6 case: has 2 case and uses 2 a day, so it lasts 2.5 days; all stores should last 2.5 days.',
    );
    expect(say('pasay', shared(), 'equalCover')).toContain('No use is known here');
  });

  it("report other users' changes", () => {
    const now: Store[] = [
      { storeId: 'makati', name: 'Makati', orders: [order('1', 'approved', { revision: 2 })] },
      { storeId: 'pasay', name: 'Pasay', orders: [order('3', 'approved'), order('4')] },
    ];
    expect(meanwhile(stores, stores)).toBeNull();
    expect(meanwhile(stores, now)).toBe('SO-4 came in; SO-1 changed; SO-2 went');
    expect(stampOf(stores)).not.toBe(stampOf(now));
  });
});

describe('what sharing did', () => {
  it('is a sentence per product that changed or is short', () => {
    const words = 'Shared 6 case of Buns over 2 stores: Makati 6 → 3. 6 case stay short.';
    expect(wordsOf(shared({ words }))).toEqual([words]);
    expect(wordsOf(shared())).toEqual([]);
  });
});

describe('the pick list', () => {
  const told = (by: 'storage' | 'store', waiting: boolean) =>
    pickList({ stores }, rows, by, waiting).map(({ heading, name, qty, unit }) =>
      heading ? name : `${qty} ${unit}`,
    );

  it('leaves out orders awaiting approval unless asked, and keeps units apart', () => {
    expect(told('store', false)).toEqual(['Makati', '48 pc', 'Pasay', '6 case']);
    expect(told('store', true)).toEqual(['Makati', '4 case', '48 pc', 'Pasay', '6 case']);
  });

  it('has the share of what is short', () => {
    const short = rowsOf({
      products: [product('bun')],
      cells: [line('c', 'pasay', '3', { sendable: 2 }), line('a', 'makati', '2', { sendable: 0 })],
    });
    const picks = pickList({ stores }, short, 'store', false);
    expect(picks.flatMap(({ qty }) => qty ?? [])).toEqual([2]);
  });

  it('goes through the storage rooms store by store', () => {
    expect(told('storage', false)).toEqual([
      'Chilled · Makati',
      '48 pc',
      'Chilled · Pasay',
      '6 case',
    ]);
  });
});

describe('deliveries', () => {
  it('contain approved orders that are in no delivery', () => {
    const made = { id: 'd', deliveryNo: 'DL-1', orderIds: ['3'] };
    const told = toSend(stores, rows, [made]).map(({ name, orders, items, waiting, made }) => [
      name,
      orders.map(({ id }) => id).join(),
      items,
      waiting,
      made.length,
    ]);
    expect(told).toEqual([
      ['Makati', '2', 1, 1, 0],
      ['Pasay', '', 0, 0, 1],
    ]);
  });
});
