import { Button } from '@mantine/core';
import { IconTruckDelivery } from '@tabler/icons-react';
import { useMutation, useQueries, useQuery } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { Link, useNavigate } from 'react-router';
import { useNameOf } from '#/api/names';
import { Problem } from '#/api/problem';
import { useCan } from '#/api/session';
import { documentApi, documentChanged } from '#/documents/api';
import { deliveriesApi, deliveryDef } from '#/documents/deliveries';
import { kitchenOrdersQuery } from '#/documents/kitchenOrders';
import { type OrderHead, orderDef } from '#/documents/orders';
import { pages, to } from '#/paths';
import { BackLink } from '#/ui/BackLink';
import { EmptyState } from '#/ui/EmptyState';
import { ErrorBox } from '#/ui/ErrorBox';
import { day, plural } from '#/ui/format';
import { Page, Panel } from '#/ui/Page';
import { PAGE } from '../kitchenOrders';
import { useOpenDeliveries } from '../openDeliveries';
import classes from './NewDelivery.module.css';
import { kitchensOf, type ToDeliver, toDeliver } from './toDeliver';

const ordersApi = documentApi<OrderHead, OrderHead>(orderDef.base);

const NONE: OrderHead[] = [];

/** The orders with something left to send, by store; null while loading. */
function useToDeliver() {
  const mayRead = useCan(PAGE);
  const query = useQuery({
    queryKey: ['stores', 'orders', 'to-deliver'],
    queryFn: ({ signal }) => {
      const asked = { status: 'approved,inFulfilment,partiallyReceived', sort: 'date' };
      return ordersApi.all(asked, signal);
    },
  });
  const kitchens = mayRead ? kitchensOf(query.data ?? NONE) : [];
  const matrices = useQueries({
    queries: kitchens.map(({ id, until }) => kitchenOrdersQuery(id, until)),
  });
  const deliveries = useOpenDeliveries();
  const ready = query.data !== undefined && matrices.every(({ isPending }) => !isPending);
  const cells = new Map(
    kitchens.flatMap(({ id }, i) => {
      const data = matrices[i]?.data;
      return data ? [[id, data.cells] as const] : [];
    }),
  );
  return {
    groups: ready ? toDeliver(query.data, cells, deliveries) : null,
    error: query.error,
  };
}

interface Wanted {
  group: string;
  orderIds: string[];
}

/** Approved orders to dispatch, by store; one tap creates a store's delivery. */
export default function NewDeliveryPage() {
  const navigate = useNavigate();
  const stores = useNameOf('stores');
  const mayCreate = useCan(deliveryDef.page, 'create');
  const keys = useRef(new Map<string, string>());
  // Orders that were ticked or left out by hand.
  const [ticked, setTicked] = useState<ReadonlyMap<string, boolean>>(new Map());
  const { groups, error } = useToDeliver();
  const create = useMutation({
    mutationFn: ({ orderIds }: Wanted) => {
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
  const problem = create.error && Problem.of(create.error);
  const isTicked = ({ order, carriedBy }: ToDeliver) => ticked.get(order.id) ?? !carriedBy;

  function tick(id: string, on: boolean): void {
    setTicked((now) => new Map(now).set(id, on));
    create.reset();
  }

  return (
    <Page
      title="New delivery"
      aside={
        groups
          ? plural(
              groups.reduce((sum, { orders }) => sum + orders.length, 0),
              'order',
            )
          : undefined
      }
      back={<BackLink to={pages.commissaryDeliveries.path} label="Deliveries" />}
      narrow
    >
      {error && <ErrorBox>{Problem.of(error).message}</ErrorBox>}
      {groups?.length === 0 && (
        <EmptyState
          icon={IconTruckDelivery}
          title="No order waits to be sent"
          text="Orders come here once they are approved, until all of them is sent."
          action={
            <Button component={Link} to={pages.storesOrders.path} variant="default">
              Open orders
            </Button>
          }
        />
      )}
      {groups?.map(({ key, storeId, orders }) => {
        const chosen = orders.filter(isTicked).map(({ order }) => order.id);
        const asked = create.variables?.group === key;
        return (
          <Panel
            key={key}
            title={stores.get(storeId)?.name ?? ''}
            aside={
              mayCreate && (
                <Button
                  size="xs"
                  className={classes.make}
                  disabled={chosen.length === 0}
                  loading={create.isPending && asked}
                  onClick={() => create.mutate({ group: key, orderIds: chosen })}
                >
                  Make delivery
                </Button>
              )
            }
          >
            {problem && asked && <ErrorBox focus>{problem.message}</ErrorBox>}
            <ul className={classes.orders}>
              {orders.map((one) => {
                const { order, left, carriedBy } = one;
                return (
                  <li key={order.id}>
                    <label>
                      <input
                        type="checkbox"
                        checked={isTicked(one)}
                        onChange={(event) => tick(order.id, event.currentTarget.checked)}
                      />
                      <b>{order.orderNo}</b>
                      <span>needed {day(order.neededDate)}</span>
                      <span>
                        {left === null || left === order.lineCount
                          ? plural(order.lineCount, 'item')
                          : `${left} of ${plural(order.lineCount, 'item')} left`}
                      </span>
                    </label>
                    {carriedBy && (
                      <Link to={to('commissaryDeliveryOne', { id: carriedBy.id })}>
                        In {carriedBy.deliveryNo}
                      </Link>
                    )}
                    <Link to={to('storesOrder', { id: order.id })}>Open</Link>
                  </li>
                );
              })}
            </ul>
          </Panel>
        );
      })}
    </Page>
  );
}
