import { Link } from 'react-router';
import documentClasses from '#/documents/Document.module.css';
import { to } from '#/paths';
import { day } from '#/ui/format';
import type { Store } from '../kitchenOrders';
import classes from './Orders.module.css';

/** Orders that were asked for after their cut-off, each with the store's reason. */
export function UrgentOrders({ stores }: { stores: readonly Store[] }) {
  const urgent = stores.flatMap(({ name, orders }) =>
    orders.flatMap((order) => (order.urgentReason ? [{ ...order, store: name }] : [])),
  );
  if (urgent.length === 0) return null;
  return (
    <ul className={`${documentClasses.notice} ${classes.urgent}`} aria-label="Urgent orders">
      {urgent.map((order) => (
        <li key={order.id}>
          <b>Urgent</b>, {order.store}, {day(order.neededDate)},{' '}
          <Link className={classes.link} to={to('storesOrder', { id: order.id })}>
            {order.orderNo}
          </Link>
          : {order.urgentReason}
          {order.status === 'submitted' && ' (waits for approval)'}
        </li>
      ))}
    </ul>
  );
}
