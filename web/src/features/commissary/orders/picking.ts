// What to pick, and for which store.
import type { Store } from '../kitchenOrders';
import type { OpenDelivery } from '../openDeliveries';
import { exact, isWaiting, type Row } from './figures';

export type PickBy = 'storage' | 'store';

/** A heading, or a product to pick for a store. */
export interface Pick {
  id: string;
  heading: boolean;
  name: string;
  sku: string | null;
  qty: number | null;
  unit: string;
  storage: string;
  store: string;
  orders: string;
}

export const NO_STORAGE = 'Other storage';

/** The pick list in walking order; of shared products their shares: through the storage rooms store by store, or store by store. */
export function pickList(
  { stores }: { stores: readonly Store[] },
  rows: readonly Row[],
  by: PickBy,
  withWaiting: boolean,
): Pick[] {
  const orders = new Map(stores.flatMap((store) => store.orders.map((order) => [order.id, order])));
  const groups = new Map<string, Pick[]>();
  const storages = [...new Set(rows.map((row) => row.storageRequirement ?? ''))];
  // Groups follow the order of rooms and stores, not of their first items.
  if (by === 'storage')
    for (const storage of storages)
      for (const store of stores) groups.set(`${storage} ${store.storeId}`, []);
  else for (const store of stores) groups.set(store.storeId, []);
  for (const row of rows) {
    const storage = row.storageRequirement ?? '';
    for (const store of stores) {
      const cell = row.cells.get(store.storeId);
      const lines = (cell?.lines ?? []).filter(({ orderId, sendable }) => {
        const order = orders.get(orderId);
        return sendable > 0 && order !== undefined && (withWaiting || !isWaiting(order));
      });
      // Different units are picked separately.
      const units = new Map<string, typeof lines>();
      for (const line of lines) units.set(line.uomCode, [...(units.get(line.uomCode) ?? []), line]);
      for (const [unit, of] of units) {
        const group = by === 'storage' ? `${storage} ${store.storeId}` : store.storeId;
        groups.get(group)?.push({
          id: `${row.id} ${store.storeId} ${unit}`,
          heading: false,
          name: row.name,
          sku: row.sku ?? null,
          qty: exact(of.reduce((sum, { sendable }) => sum + sendable, 0)),
          unit,
          storage: storage || NO_STORAGE,
          store: store.name,
          orders: of.map(({ orderId }) => orders.get(orderId)?.orderNo ?? '').join(', '),
        });
      }
    }
  }
  return [...groups].flatMap(([id, picks]) => {
    const [first] = picks;
    if (!first) return [];
    const name = by === 'storage' ? `${first.storage} · ${first.store}` : first.store;
    return [{ ...first, id: `#${id}`, heading: true, name, sku: null, qty: null }, ...picks];
  });
}

/** A store with approved orders to dispatch. */
export interface ToSend {
  id: string;
  name: string;
  /** Its dispatchable orders. */
  orders: Store['orders'];
  items: number;
  /** Orders awaiting approval. */
  waiting: number;
  /** Deliveries of its orders that have not left. */
  made: readonly OpenDelivery[];
}

/** The stores to dispatch to, with orders awaiting approval or already in a delivery. */
export function toSend(
  stores: readonly Store[],
  rows: readonly Row[],
  deliveries: readonly OpenDelivery[],
): ToSend[] {
  const open = new Map<string, number>();
  for (const row of rows)
    for (const cell of row.cells.values())
      for (const line of cell.lines)
        if (line.sendable > 0) open.set(line.orderId, (open.get(line.orderId) ?? 0) + 1);
  return stores.flatMap(({ storeId, name, orders: all }) => {
    const left = all.filter(({ id }) => open.has(id));
    if (left.length === 0) return [];
    const made = deliveries.filter(({ orderIds }) => left.some(({ id }) => orderIds.includes(id)));
    const loaded = new Set(made.flatMap(({ orderIds }) => orderIds));
    const orders = left.filter((order) => !isWaiting(order) && !loaded.has(order.id));
    const items = orders.reduce((sum, { id }) => sum + (open.get(id) ?? 0), 0);
    const waiting = left.filter(isWaiting).length;
    return [{ id: storeId, name, orders, items, waiting, made }];
  });
}
