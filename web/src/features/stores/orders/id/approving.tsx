// What users who approve an order see beside it: the kitchen's stock, and the amounts as they change.
import { useQuery } from '@tanstack/react-query';
import type { components } from '#/api/schema.gen';
import { mayOpen, useMe } from '#/api/session';
import { kitchenOrdersQuery } from '#/documents/kitchenOrders';
import type { Order, OrderLine } from '#/documents/orders';
import type { GridModel } from '#/grid/model';
import { qty } from '#/ui/format';
import { sum } from '#/ui/sums';
import classes from '../Orders.module.css';

type Product = components['schemas']['MatrixProduct'];

/** The kitchen's products that are ordered for the order's day, by id; undefined where they cannot be seen. */
export function useKitchenStock(order: Order, wanted: boolean) {
  const me = useMe();
  const enabled = wanted && order.sourceType === 'commissary' && mayOpen(me, 'commissaryOrders');
  const { data } = useQuery({
    ...kitchenOrdersQuery(order.sourceId ?? '', order.neededDate),
    select: ({ products }) => new Map(products.map((product) => [product.productId, product])),
    enabled,
  });
  return enabled ? data : undefined;
}

/** A quantity of a product of the kitchen in the unit of a line, with at most three decimals, never rounded up. */
export function inLineUnit(much: number, product: Product, line: OrderLine): number {
  const base = much * Number(product.factor);
  return Math.floor((base / Number(line.factorToBase)) * 1000 + 1e-6) / 1000;
}

interface HasProps {
  line: OrderLine;
  stock: Product | undefined;
}

/** The kitchen's stock; beside it what all stores want until the day, where stock and production do not cover it. */
export function KitchenHas({ line, stock }: HasProps) {
  if (!stock) return '–';
  const has = inLineUnit(stock.onHand, stock, line);
  const made = inLineUnit(stock.incoming, stock, line);
  const wanted = inLineUnit(stock.toSend, stock, line);
  const short = stock.short > 0;
  return (
    <span
      className={short ? classes.scarce : undefined}
      title={`${qty(has)} ${line.uomCode} in stock, ${qty(made)} being made; all stores want ${qty(wanted)} by this day`}
    >
      {qty(has)}
      {short && ` of ${qty(wanted)}`}
    </span>
  );
}

/** The price of a line's approved quantity; of what is typed where a model is given. */
export function lineAmount(line: OrderLine, model: GridModel | null): number | null {
  const { unitPrice = null } = line;
  if (unitPrice === null) return null;
  const saved = line.qtyApproved ?? line.qtyOrdered;
  const approved = model ? model.number(line.id, 'qtyApproved', saved) : saved;
  if (approved === null || Number.isNaN(approved)) return null;
  return Math.round(approved * unitPrice * 100) / 100;
}

/** The total of the lines as they would be approved; null without prices. */
export function amountOf(order: Order, model: GridModel): number | null {
  const amounts = order.lines.map((line) => lineAmount(line, model));
  const known = amounts.filter((amount) => amount !== null);
  return known.length > 0 ? sum(known) : null;
}
