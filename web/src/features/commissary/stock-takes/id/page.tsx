import { Navigate, useParams } from 'react-router';
import { useCan } from '#/api/session';
import { DocumentStandIn } from '#/documents/DocumentFrame';
import { stockTakeDef } from '#/documents/stockTakes';
import { to } from '#/paths';
import { DraftView } from './DraftView';
import { back, TakeView } from './TakeView';
import { useKeptTake } from './useTake';

export default function StockTakePage() {
  const { id = '' } = useParams();
  const { data, error, refetch } = useKeptTake(id);
  const mayEdit = useCan(stockTakeDef.page, 'edit');
  // A new one opens over the list.
  if (id === 'new')
    return <Navigate to={to('commissaryStockTakes', null, { open: 'new' })} replace />;
  if (!data) {
    return (
      <DocumentStandIn def={stockTakeDef} error={error} back={back} retry={() => void refetch()} />
    );
  }
  if (data.status === 'draft' && mayEdit) return <DraftView key={data.id} take={data} />;
  return (
    <TakeView
      key={data.id}
      take={data}
      refetch={async () => (await refetch({ throwOnError: true })).data ?? null}
    />
  );
}
