import { Link } from 'react-router';
import { useCan } from '#/api/session';
import { to } from '#/paths';
import { useDocument } from './api';
import { type Order, type OrderHead, orderDef } from './orders';

/** A link to an order that shows its number. */
export function OrderLink({ id }: { id: string }) {
  const maySee = useCan(orderDef.page);
  const { data } = useDocument<OrderHead, Order>(orderDef, maySee ? id : '');
  return <Link to={to('storesOrder', { id })}>{data?.orderNo ?? 'Order'}</Link>;
}
