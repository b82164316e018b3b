// Products × stores, in each product's display unit.
import { plural, qty } from '#/ui/format';
import type { Cell, Orders, Product, Store } from '../kitchenOrders';

/** What a store ordered of a product in all its orders, in the product's unit. */
export interface StoreCell {
  key: string;
  storeId: string;
  productId: string;
  lines: readonly Cell[];
  ordered: number;
  /** Still to be sent. */
  toSend: number;
  /** Of that, what sharing leaves to be sent now. */
  sendable: number;
  /** A share given earlier, when there was too little. */
  shared: Cell['share'];
}

export interface Row extends Product {
  id: string;
  cells: ReadonlyMap<string, StoreCell>;
}

const DIGITS = 1_000_000;

/** Removes floating-point noise beyond the six decimals of quantities. */
export const exact = (value: number) => Math.round(value * DIGITS) / DIGITS;

/** A quantity in base units, converted to a unit. */
export const inUnit = (base: number, factor: number) => exact(base / (factor || 1));

/** A quantity converted between two units of a product. */
export const between = (value: number, from: number, to: number) => exact((value * from) / to);

/** A displayed figure: three decimals. */
export const seen = (value: number) => Math.round(value * 1000) / 1000;

export const keyOf = (productId: string, storeId: string) => `${productId} ${storeId}`;

export function placeOf(key: string): { productId: string; storeId: string } {
  const [productId = '', storeId = ''] = key.split(' ');
  return { productId, storeId };
}

/** The rows of the matrix, in the server's order: by storage, then name. */
export function rowsOf({ products, cells }: Pick<Orders, 'products' | 'cells'>): Row[] {
  const factors = new Map(products.map(({ productId, factor }) => [productId, factor]));
  const found = new Map<string, Map<string, StoreCell>>();
  for (const cell of cells) {
    const factor = factors.get(cell.productId);
    if (factor === undefined) continue;
    const of = found.get(cell.productId) ?? new Map<string, StoreCell>();
    found.set(cell.productId, of);
    const before = of.get(cell.storeId);
    of.set(cell.storeId, {
      key: keyOf(cell.productId, cell.storeId),
      storeId: cell.storeId,
      productId: cell.productId,
      lines: [...(before?.lines ?? []), cell],
      ordered: exact((before?.ordered ?? 0) + between(cell.ordered, cell.factor, factor)),
      toSend: exact((before?.toSend ?? 0) + between(cell.toSend, cell.factor, factor)),
      sendable: exact((before?.sendable ?? 0) + between(cell.sendable, cell.factor, factor)),
      shared: cell.share ?? before?.shared,
    });
  }
  return products.map((product) => ({
    ...product,
    id: product.productId,
    cells: found.get(product.productId) ?? new Map(),
  }));
}

/** What can be sent of what is to be sent: `38 of 50` if sharing leaves some of it short. */
export const sendText = ({ toSend, sendable }: StoreCell) =>
  sendable < toSend ? `${qty(seen(sendable))} of ${qty(seen(toSend))}` : qty(seen(toSend));

/** Storage requirements in order of appearance. */
export function storagesOf(rows: readonly Row[]): string[] {
  return [...new Set(rows.map(({ storageRequirement }) => storageRequirement ?? ''))];
}

export interface Narrowed {
  q: string;
  storage: string;
}

/** The rows that match the filters. */
export function narrow(rows: readonly Row[], { q, storage }: Narrowed): Row[] {
  const words = q.toLowerCase().split(/\s+/).filter(Boolean);
  return rows.filter((row) => {
    if (storage && (row.storageRequirement ?? '') !== storage) return false;
    const text = `${row.name} ${row.sku ?? ''}`.toLowerCase();
    return words.every((word) => text.includes(word));
  });
}

const WORDS: Record<string, string> = {
  submitted: 'to approve',
  approved: 'approved',
  inFulfilment: 'part sent',
  partiallyReceived: 'part received',
};

/** The orders of which something is left to send. */
export const leftToSend = (cells: readonly Cell[]): ReadonlySet<string> =>
  new Set(cells.filter(({ toSend }) => toSend > 0).map(({ orderId }) => orderId));

/** Whether the kitchen is late with an order: its day has passed, and not all of it was sent. */
export const isLate = (
  { id, neededDate }: { id: string; neededDate: string },
  now: string,
  left: ReadonlySet<string>,
) => neededDate < now && left.has(id);

/** The state of a store's orders, in a few words; `left` are those with something to send. */
export function storeLabel({ orders }: Store, now: string, left: ReadonlySet<string>): string {
  const wordsOf = ({ id, status }: Store['orders'][number]) =>
    status === 'inFulfilment' && !left.has(id) ? 'all sent' : (WORDS[status] ?? status);
  const states = [...new Set(orders.map(wordsOf))];
  const late = orders.some((order) => isLate(order, now, left)) ? 'late, ' : '';
  const many = orders.length > 1 ? `${orders.length} orders` : '';
  return `${late}${states.length === 1 ? [many, states[0]].filter(Boolean).join(' ') : many}`;
}

export const isWaiting = ({ status }: { status: string }) => status === 'submitted';

/** What saving shares does to the orders of these stores. */
export function approvingText(stores: readonly Store[]): string {
  const orders = stores.flatMap((store) => store.orders);
  const waiting = orders.filter(isWaiting).length;
  const others = orders.length - waiting;
  if (waiting === 0) return `The shares are saved in ${plural(others, 'order')}.`;
  const of = stores.filter((store) => store.orders.some(isWaiting)).length;
  const approved = `${plural(waiting, 'order')} of ${plural(of, 'store')} ${waiting === 1 ? 'is' : 'are'} approved`;
  return others > 0
    ? `${approved}, and the shares of ${plural(others, 'order')} approved before are saved with them.`
    : `${approved}.`;
}
