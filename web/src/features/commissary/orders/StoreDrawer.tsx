import { Link } from 'react-router';
import { orderDef } from '#/documents/orders';
import { to } from '#/paths';
import { DrawerFrame } from '#/ui/DrawerFrame';
import { today } from '#/ui/dates';
import { day, plural, qty } from '#/ui/format';
import { StatusPill } from '#/ui/StatusPill';
import type { Store } from '../kitchenOrders';
import own from './Drawer.module.css';
import { isLate, leftToSend, type Row, seen, sendText } from './figures';
import classes from './Orders.module.css';

interface Props {
  store: Store;
  rows: readonly Row[];
  onClose(): void;
}

/** A store's open orders, and what is still to be dispatched. */
export function StoreDrawer({ store, rows, onClose }: Props) {
  const items = rows.flatMap((row) => {
    const cell = row.cells.get(store.storeId);
    return cell ? [{ row, cell }] : [];
  });
  const left = leftToSend(items.flatMap(({ cell }) => cell.lines));
  return (
    <DrawerFrame opened title={store.name} onClose={onClose}>
      <div className={own.drawer} data-scroll>
        <ul className={own.orders}>
          {store.orders.map((order) => {
            const words = orderDef.states[order.status];
            return (
              <li key={order.id}>
                <Link className={classes.link} to={to('storesOrder', { id: order.id })}>
                  {order.orderNo}
                </Link>
                <StatusPill tone={words?.tone ?? 'neutral'}>
                  {words?.label ?? order.status}
                </StatusPill>
                <span>needed {day(order.neededDate)}</span>
                {isLate(order, today(), left) && <StatusPill tone="danger">late</StatusPill>}
                {order.urgentReason && (
                  <>
                    <StatusPill tone="warn">urgent</StatusPill>
                    <span>{order.urgentReason}</span>
                  </>
                )}
              </li>
            );
          })}
        </ul>
        <table className={own.items}>
          <caption>{plural(items.length, 'product')}</caption>
          <thead>
            <tr>
              <th scope="col">Product</th>
              <th scope="col" data-right>
                Ordered
              </th>
              <th scope="col" data-right>
                To send
              </th>
              <th scope="col">Unit</th>
            </tr>
          </thead>
          <tbody>
            {items.map(({ row, cell }) => (
              <tr key={row.id}>
                <th scope="row">{row.name}</th>
                <td data-right>{qty(seen(cell.ordered))}</td>
                <td data-right>{sendText(cell)}</td>
                <td>{row.uomCode}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </DrawerFrame>
  );
}
