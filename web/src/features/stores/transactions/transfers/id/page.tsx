import { useParams } from 'react-router';
import { useDocument } from '#/documents/api';
import { DocumentStandIn } from '#/documents/DocumentFrame';
import { type Transfer, type TransferHead, transferDef } from '#/documents/transfers';
import { NewTransfer } from './NewTransfer';
import { back, TransferView } from './TransferView';

export default function TransferPage() {
  const { id = '' } = useParams();
  const { data, error, refetch } = useDocument<TransferHead, Transfer>(transferDef, id);
  if (id === 'new') return <NewTransfer />;
  if (!data) {
    return (
      <DocumentStandIn def={transferDef} error={error} back={back} retry={() => void refetch()} />
    );
  }
  return <TransferView key={data.id} transfer={data} />;
}
