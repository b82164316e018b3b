import { useParams } from 'react-router';
import { useDocument } from '#/documents/api';
import { DocumentStandIn } from '#/documents/DocumentFrame';
import { type Delivery, type DeliveryHead, deliveryDef } from '#/documents/deliveries';
import { back, DeliveryView } from './DeliveryView';

export default function DeliveryPage() {
  const { id = '' } = useParams();
  const { data, error, refetch } = useDocument<DeliveryHead, Delivery>(deliveryDef, id);
  if (!data) {
    return (
      <DocumentStandIn def={deliveryDef} error={error} back={back} retry={() => void refetch()} />
    );
  }
  return <DeliveryView key={data.id} delivery={data} />;
}
