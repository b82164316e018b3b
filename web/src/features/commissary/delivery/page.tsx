import { Button } from '@mantine/core';
import { IconTruckDelivery } from '@tabler/icons-react';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { Link, useNavigate } from 'react-router';
import { useNameOf } from '#/api/names';
import { Problem } from '#/api/problem';
import { useCan } from '#/api/session';
import { documentApi, documentChanged } from '#/documents/api';
import { deliveriesApi, deliveryDef } from '#/documents/deliveries';
import { type OrderHead, orderDef } from '#/documents/orders';
import { pages, to } from '#/paths';
import { BackLink } from '#/ui/BackLink';
import { EmptyState } from '#/ui/EmptyState';
import { ErrorBox } from '#/ui/ErrorBox';
import { day, plural } from '#/ui/format';
import { Page, Panel } from '#/ui/Page';
import classes from './NewDelivery.module.css';

const ordersApi = documentApi<OrderHead, OrderHead>(orderDef.base);

/** Approved orders to dispatch, by store; one tap creates a store's delivery. */
export default function NewDeliveryPage() {
  const navigate = useNavigate();
  const stores = useNameOf('stores');
  const mayCreate = useCan(deliveryDef.page, 'create');
  const keys = useRef(new Map<string, string>());
  const [off, setOff] = useState<ReadonlySet<string>>(new Set());
  const query = useQuery({
    queryKey: ['stores', 'orders', 'to-deliver'],
    queryFn: ({ signal }) => {
      const asked = { status: 'approved,inFulfilment,partiallyReceived', sort: 'date' };
      return ordersApi.all(asked, signal);
    },
  });
  const create = useMutation({
    mutationFn: (orderIds: string[]) => {
      const name = orderIds.join();
      const key = keys.current.get(name) ?? crypto.randomUUID();
      keys.current.set(name, key);
      return deliveriesApi.create({ orderIds }, key);
    },
    onSuccess: (delivery) => {
      documentChanged(deliveryDef, delivery);
      void navigate(to('commissaryDeliveryOne', { id: delivery.id }));
    },
  });
  const orders = (query.data ?? []).filter(({ sourceType }) => sourceType !== 'supplier');
  const groups = new Map<string, OrderHead[]>();
  for (const order of orders) {
    const key = `${order.storeId} ${order.sourceId}`;
    groups.set(key, [...(groups.get(key) ?? []), order]);
  }
  const problem = create.error && Problem.of(create.error);

  return (
    <Page
      title="New delivery"
      aside={query.data ? plural(orders.length, 'order') : undefined}
      back={<BackLink to={pages.commissaryDeliveries.path} label="Deliveries" />}
      narrow
    >
      {problem && <ErrorBox focus>{problem.message}</ErrorBox>}
      {query.error && <ErrorBox>{Problem.of(query.error).message}</ErrorBox>}
      {query.data && orders.length === 0 && (
        <EmptyState
          icon={IconTruckDelivery}
          title="No order waits to be sent"
          text="Orders come here once they are approved."
          action={
            <Button component={Link} to={pages.storesOrders.path} variant="default">
              Open orders
            </Button>
          }
        />
      )}
      {[...groups.entries()].map(([key, of]) => {
        const chosen = of.filter(({ id }) => !off.has(id));
        return (
          <Panel
            key={key}
            title={stores.get(of[0]?.storeId ?? '')?.name ?? ''}
            aside={
              mayCreate && (
                <Button
                  size="xs"
                  disabled={chosen.length === 0}
                  loading={
                    create.isPending &&
                    create.variables.join() === chosen.map(({ id }) => id).join()
                  }
                  onClick={() => create.mutate(chosen.map(({ id }) => id))}
                >
                  Make delivery
                </Button>
              )
            }
          >
            <ul className={classes.orders}>
              {of.map((order) => (
                <li key={order.id}>
                  <label>
                    <input
                      type="checkbox"
                      checked={!off.has(order.id)}
                      onChange={(event) => {
                        const next = new Set(off);
                        if (event.currentTarget.checked) next.delete(order.id);
                        else next.add(order.id);
                        setOff(next);
                      }}
                    />
                    <b>{order.orderNo}</b>
                    <span>needed {day(order.neededDate)}</span>
                    <span>{plural(order.lineCount, 'item')}</span>
                  </label>
                  <Link to={to('storesOrder', { id: order.id })}>Open</Link>
                </li>
              ))}
            </ul>
          </Panel>
        );
      })}
    </Page>
  );
}
