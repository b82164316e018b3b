import { useParams } from 'react-router';
import { useDocument } from '#/documents/api';
import { DocumentStandIn } from '#/documents/DocumentFrame';
import { type Waste, type WasteHead, wasteDef } from '#/documents/waste';
import { NewWaste } from './NewWaste';
import { back, WasteView } from './WasteView';

export default function WastePage() {
  const { id = '' } = useParams();
  const { data, error, refetch } = useDocument<WasteHead, Waste>(wasteDef, id);
  if (id === 'new') return <NewWaste />;
  if (!data) {
    return (
      <DocumentStandIn def={wasteDef} error={error} back={back} retry={() => void refetch()} />
    );
  }
  return <WasteView key={data.id} waste={data} />;
}
