import { cleanNotifications, notificationsStore } from '@mantine/notifications';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { queries } from '#/api/queries';
import type { UndoStep } from '#/lists/useUndo';
import type { Answer } from '#/table/sources';
import { deleteProducts, setAccount, setInactive, setManyInactive } from './actions';
import { KEY, type Product } from './api';
import { ACCOUNT_TOAST_MS, MESSAGES, TOAST_MS } from './messages';

const product: Product = {
  id: 'p1',
  name: 'Adobo base',
  type: 'Inventory',
  otherUoms: [],
  conversions: [],
  barcodes: [],
  rootItemConversions: [],
  priceLevelPrices: [],
  quantity: 0,
  inactive: false,
  inventoryAssetAccountId: 'a1',
  inventoryAssetAccountNumber: '1300',
  inventoryAssetAccountName: 'Inventory asset',
  createdAt: '2026-11-20T00:00:00.000Z',
  updatedAt: '2026-11-20T00:00:00.000Z',
  revision: 3,
};
const frozen = { id: 'a2', name: 'Frozen inventory', code: '1310' };
const PAGE = [...KEY, 'page', { q: undefined }, 0];

const row = () => queries.getQueryData<Answer<Product>>(PAGE)?.items[0];
const toasts = () => {
  const { notifications, queue } = notificationsStore.getState();
  return [...notifications, ...queue].map(({ message, autoClose }) => [message, autoClose]);
};

interface Sent {
  method: string;
  path: string;
  json: Record<string, unknown>;
}

/** A server with these answers in turn, which records the requests. */
function server(...answers: ([status: number, body: object] | Promise<Response>)[]): Sent[] {
  const sent: Sent[] = [];
  vi.stubGlobal('fetch', (path: string, { method, body }: RequestInit) => {
    sent.push({ method: method ?? 'GET', path, json: JSON.parse(String(body ?? '{}')) });
    const next = answers.shift() ?? [500, {}];
    return next instanceof Promise
      ? next
      : Promise.resolve(new Response(JSON.stringify(next[1]), { status: next[0] }));
  });
  return sent;
}

/** The offered undo steps. */
let offered: UndoStep[] = [];
const offer = (step: UndoStep) => void offered.push(step);

beforeEach(() => {
  offered = [];
  queries.clear();
  queries.setQueryData<Answer<Product>>(PAGE, { items: [product], total: 1 });
  cleanNotifications();
});

describe('product toasts', () => {
  it('match the specification word for word', () => {
    expect(Object.values(MESSAGES)).toEqual([
      'Product created',
      'Product updated',
      'Product deleted',
      'Product marked inactive',
      'Product marked active',
      'Account updated',
      'Failed to save product',
      'Failed to update product',
      'Failed to delete product',
      'Failed to mark inactive',
      'Failed to mark active',
      'Failed to update account',
      'Product not found',
    ]);
    expect([TOAST_MS, ACCOUNT_TOAST_MS]).toEqual([1800, 2500]);
  });
});

describe('setting an account', () => {
  it('is shown at once and rolled back when the server refuses', async () => {
    let refuse = (_: Response) => {};
    server(new Promise((answer) => (refuse = answer)));
    const over = setAccount('p1', 'inventoryAssetAccount', frozen, offer);
    await vi.waitFor(() => expect(row()?.inventoryAssetAccountName).toBe('Frozen inventory'));
    expect(row()?.inventoryAssetAccountNumber).toBe('1310');
    expect(toasts()).toEqual([]);
    refuse(new Response('{}', { status: 500 }));
    await over;
    expect(row()).toEqual(product);
    expect(toasts()).toEqual([['Failed to update account', 2500]]);
  });

  it('stays when the server agrees', async () => {
    const saved = { ...product, inventoryAssetAccountId: 'a2', revision: 4 };
    const sent = server([200, saved]);
    await setAccount('p1', 'inventoryAssetAccount', frozen, offer);
    expect(sent[0]).toEqual({
      method: 'PATCH',
      path: '/api/products/p1',
      json: { inventoryAssetAccountId: 'a2', revision: 3 },
    });
    expect(row()).toEqual(saved);
    expect(offered).toEqual([
      { message: 'Account updated', name: 'Adobo base', records: [{ id: 'p1', revision: 4 }] },
    ]);
  });

  it("is retried on another user's change, unless it was to the account", async () => {
    const theirs = { ...product, name: 'Adobo sauce', revision: 4 };
    const sent = server(
      [409, { code: 'stale', current: theirs }],
      [200, { ...theirs, inventoryAssetAccountId: 'a2', revision: 5 }],
    );
    await setAccount('p1', 'inventoryAssetAccount', frozen, offer);
    expect(sent.map(({ json }) => json.revision)).toEqual([3, 4]);
    expect(row()?.name).toBe('Adobo sauce');

    const other = { ...product, inventoryAssetAccountId: 'a9', revision: 6 };
    server([409, { code: 'stale', current: other }]);
    await setAccount('p1', 'inventoryAssetAccount', null, offer);
    expect(row()?.inventoryAssetAccountId).toBe('a2');
    expect(toasts().at(-1)).toEqual(['Failed to update account', 2500]);
  });

  it('reports a missing product', async () => {
    server([404, { code: 'notFound' }]);
    await setAccount('p1', 'inventoryAssetAccount', frozen, offer);
    expect(row()).toEqual(product);
    await setAccount('nowhere', 'expenseAccount', frozen, offer);
    expect(toasts()).toEqual([
      ['Product not found', 2500],
      ['Product not found', 2500],
    ]);
  });

  it("twice in a row is sent twice, the second from the first's revision", async () => {
    const first = { ...product, inventoryAssetAccountId: 'a2', revision: 4 };
    const sent = server([200, first], [200, { ...product, revision: 5 }]);
    await Promise.all([
      setAccount('p1', 'inventoryAssetAccount', frozen, offer),
      setAccount('p1', 'inventoryAssetAccount', { id: 'a1', name: 'Inventory asset' }, offer),
    ]);
    expect(sent.map(({ json }) => json.revision)).toEqual([3, 4]);
    expect(row()?.revision).toBe(5);
  });
});

describe('making inactive and active', () => {
  it('is shown only after the server agreed', async () => {
    server([500, {}]);
    expect(await setInactive(product, true, offer)).toBe(false);
    expect(row()?.inactive).toBe(false);
    server([200, { ...product, inactive: true, revision: 4 }]);
    expect(await setInactive(product, true, offer)).toBe(true);
    expect(row()?.inactive).toBe(true);
    server([500, {}], [200, { ...product, revision: 5 }]);
    await setInactive({ ...product, inactive: true }, false, offer);
    await setInactive({ ...product, inactive: true }, false, offer);
    expect(toasts()).toEqual([
      ['Failed to mark inactive', 1800],
      ['Failed to mark active', 1800],
    ]);
    // Both offer undo, from the revision they led to.
    expect(offered).toEqual([
      {
        message: 'Product marked inactive',
        name: 'Adobo base',
        records: [{ id: 'p1', revision: 4 }],
      },
      {
        message: 'Product marked active',
        name: 'Adobo base',
        records: [{ id: 'p1', revision: 5 }],
      },
    ]);
  });

  it('lists the products that failed', async () => {
    const other = { ...product, id: 'p2', name: 'Tapa' };
    const failure = { id: 'p2', code: 'stale', detail: 'Ana changed it.', fields: [] };
    const sent = server([200, { done: [{ ...product, inactive: true }], failed: [failure] }]);
    const left = await setManyInactive([product, other], true, offer);
    expect(sent[0]?.json).toEqual({
      records: [
        { id: 'p1', revision: 3 },
        { id: 'p2', revision: 3 },
      ],
      change: { inactive: true },
    });
    expect(left).toEqual([{ name: 'Tapa', why: 'Ana changed it.' }]);
    server([200, { done: [product, other], failed: [] }]);
    expect(await setManyInactive([product, other], true, offer)).toEqual([]);
    expect(toasts()).toEqual([['Failed to mark inactive', 1800]]);
    expect(offered.map(({ message }) => message)).toEqual([
      '1 product marked inactive',
      '2 products marked inactive',
    ]);
  });
});

describe('deleting', () => {
  it('reports the outcome', async () => {
    server([200, {}]);
    expect(await deleteProducts([product], offer)).toEqual([]);
    server([409, { code: 'inUse', detail: 'Used by 3 recipes.' }]);
    expect(await deleteProducts([product], offer)).toEqual([
      { name: 'Adobo base', why: 'Used by 3 recipes.' },
    ]);
    expect(toasts()).toEqual([['Failed to delete product', 1800]]);
    expect(offered).toEqual([
      { message: 'Product deleted', name: 'Adobo base', records: [{ id: 'p1', revision: null }] },
    ]);
  });
});
