import { useParams } from 'react-router';
import { useDocument } from '#/documents/api';
import { DocumentStandIn } from '#/documents/DocumentFrame';
import { type Production, type ProductionHead, productionDef } from '#/documents/productions';
import { BatchView, back } from './BatchView';

export default function BatchPage() {
  const { id = '' } = useParams();
  const { data, error, refetch } = useDocument<ProductionHead, Production>(productionDef, id);
  if (!data) {
    return (
      <DocumentStandIn def={productionDef} error={error} back={back} retry={() => void refetch()} />
    );
  }
  return <BatchView key={data.id} batch={data} />;
}
