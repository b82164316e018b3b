import { useParams } from 'react-router';
import { useDocument } from '#/documents/api';
import { DocumentStandIn } from '#/documents/DocumentFrame';
import { type Order, type OrderHead, orderDef } from '#/documents/orders';
import { pages } from '#/paths';
import { NewOrder } from './NewOrder';
import { OrderEditor } from './OrderEditor';
import { OrderView } from './OrderView';

export const back = { to: pages.storesOrders.path, label: 'Orders' };

/** An order: editable as long as it is a draft, then followed. */
export default function OrderPage() {
  const { id = '' } = useParams();
  const { data, error, refetch } = useDocument<OrderHead, Order>(orderDef, id);
  if (id === 'new') return <NewOrder />;
  if (!data) {
    return (
      <DocumentStandIn def={orderDef} error={error} back={back} retry={() => void refetch()} />
    );
  }
  return data.status === 'draft' ? (
    <OrderEditor key={data.id} order={data} />
  ) : (
    <OrderView key={`${data.id} ${data.status}`} order={data} />
  );
}
