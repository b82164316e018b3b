// What a new delivery can be made for.
import type { OrderHead } from '#/documents/orders';
import type { Cell } from '../kitchenOrders';
import type { OpenDelivery } from '../openDeliveries';

/** An order with something left to send. */
export interface ToDeliver {
  order: OrderHead;
  /** Lines with something left; null where only the number of all lines is known. */
  left: number | null;
  /** The delivery that has not left yet and carries it already. */
  carriedBy: OpenDelivery | undefined;
}

/** The orders of one store to one place: a delivery is for these. */
export interface Group {
  key: string;
  storeId: string;
  orders: ToDeliver[];
}

/** Kitchens with orders, and until when: the matrix of that day has them all. */
export function kitchensOf(orders: readonly OrderHead[]): { id: string; until: string }[] {
  const until = new Map<string, string>();
  for (const { sourceType, sourceId, neededDate } of orders) {
    if (sourceType !== 'commissary' || !sourceId) continue;
    const before = until.get(sourceId) ?? '';
    until.set(sourceId, neededDate > before ? neededDate : before);
  }
  return [...until].map(([id, day]) => ({ id, until: day }));
}

/**
 * The orders to offer, by store. `cells` has the lines of a kitchen's orders; of a place that is absent there nothing
 * is known, and all its orders are offered.
 */
export function toDeliver(
  orders: readonly OrderHead[],
  cells: ReadonlyMap<string, readonly Cell[]>,
  deliveries: readonly OpenDelivery[],
): Group[] {
  const lines = new Map<string, number>();
  for (const { orderId, sendable } of [...cells.values()].flat())
    if (sendable > 0) lines.set(orderId, (lines.get(orderId) ?? 0) + 1);
  const groups = new Map<string, Group>();
  for (const order of orders) {
    if (order.sourceType === 'supplier') continue;
    const left = cells.has(order.sourceId ?? '') ? (lines.get(order.id) ?? 0) : null;
    if (left === 0) continue;
    const storeId = order.storeId ?? '';
    const key = `${storeId} ${order.sourceId}`;
    const group = groups.get(key) ?? { key, storeId, orders: [] };
    groups.set(key, group);
    const carriedBy = deliveries.find(({ orderIds }) => orderIds.includes(order.id));
    group.orders.push({ order, left, carriedBy });
  }
  return [...groups.values()];
}
