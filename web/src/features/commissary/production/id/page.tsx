import { Navigate, useParams } from 'react-router';
import { useDocument } from '#/documents/api';
import { DocumentStandIn } from '#/documents/DocumentFrame';
import { type Production, type ProductionHead, productionDef } from '#/documents/productions';
import { to } from '#/paths';
import { BatchView, back } from './BatchView';

export default function BatchPage() {
  const { id = '' } = useParams();
  const { data, error, refetch } = useDocument<ProductionHead, Production>(productionDef, id);
  // A new batch opens over the list.
  if (id === 'new')
    return <Navigate to={to('commissaryProduction', null, { open: 'new' })} replace />;
  if (!data) {
    return (
      <DocumentStandIn def={productionDef} error={error} back={back} retry={() => void refetch()} />
    );
  }
  return <BatchView key={data.id} batch={data} />;
}
