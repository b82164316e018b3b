import { Button, Switch } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { useState } from 'react';
import { useCan } from '#/api/session';
import { DocumentList } from '#/documents/DocumentList';
import { NewDocument } from '#/documents/NewDocument';
import { PlaceSelect, usePlaceChoice } from '#/documents/PlaceSelect';
import { stockTakeDef } from '#/documents/stockTakes';
import { useTableState } from '#/table/useTableState';
import { AreaSelect } from './AreaSelect';

/** The list of stock-takes. */
export default function StockTakesPage() {
  const state = useTableState();
  const mayCreate = useCan(stockTakeDef.page, 'create');
  const create = () => state.set({ open: 'new' });
  return (
    <>
      <DocumentList
        def={stockTakeDef}
        onNew={mayCreate ? create : undefined}
        actions={
          mayCreate && (
            <Button leftSection={<IconPlus size={17} aria-hidden />} onClick={create}>
              New stock-take
            </Button>
          )
        }
      />
      {mayCreate && state.get('open') === 'new' && (
        <NewTake onClose={() => state.set({ open: null })} />
      )}
    </>
  );
}

/** Asks for the place; the sheet is proposed on the next page. */
function NewTake({ onClose }: { onClose(): void }) {
  const place = usePlaceChoice();
  const { placeKind, placeId } = place;
  const [areaId, setArea] = useState<string | null>(null);
  const [blind, setBlind] = useState(false);
  return (
    <NewDocument
      def={stockTakeDef}
      confirm="Make sheet"
      draft={placeId ? { placeKind, placeId, areaId: areaId ?? '', blind } : null}
      onClose={onClose}
      fields={(errorOf) => (
        <>
          <PlaceSelect
            choice={place}
            label="Place"
            placeholder="Where you count"
            error={errorOf('placeId')}
          />
          <AreaSelect w="100%" value={areaId} onChange={setArea} error={errorOf('areaId')} />
          <Switch
            w="100%"
            label="Blind: hide the ledger's quantities while counting"
            checked={blind}
            onChange={(event) => setBlind(event.currentTarget.checked)}
          />
        </>
      )}
    />
  );
}
