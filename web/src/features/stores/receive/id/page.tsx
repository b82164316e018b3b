import { useParams } from 'react-router';
import { useDocument } from '#/documents/api';
import { DocumentStandIn } from '#/documents/DocumentFrame';
import { type Receipt, type ReceiptHead, receiptDef } from '#/documents/receipts';
import { NewReceipt } from './NewReceipt';
import { back, ReceiptView } from './ReceiptView';

export default function ReceiptPage() {
  const { id = '' } = useParams();
  const { data, error, refetch } = useDocument<ReceiptHead, Receipt>(receiptDef, id);
  if (id === 'new') return <NewReceipt />;
  if (!data) {
    return (
      <DocumentStandIn def={receiptDef} error={error} back={back} retry={() => void refetch()} />
    );
  }
  return <ReceiptView key={data.id} receipt={data} />;
}
