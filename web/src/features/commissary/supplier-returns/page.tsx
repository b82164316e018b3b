import { Button, Select } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { useState } from 'react';
import { useNames } from '#/api/names';
import { useCan, useMe } from '#/api/session';
import { DocumentList } from '#/documents/DocumentList';
import { NewDocument } from '#/documents/NewDocument';
import { PlaceSelect, usePlaceChoice } from '#/documents/PlaceSelect';
import { supplierReturnDef } from '#/documents/supplierReturns';
import { useTableState } from '#/table/useTableState';

/** The list of supplier returns. */
export default function SupplierReturnsPage() {
  const state = useTableState();
  const mayCreate = useCan(supplierReturnDef.page, 'create');
  const create = () => state.set({ open: 'new' });
  return (
    <>
      <DocumentList
        def={supplierReturnDef}
        onNew={mayCreate ? create : undefined}
        actions={
          mayCreate && (
            <Button leftSection={<IconPlus size={17} aria-hidden />} onClick={create}>
              New supplier return
            </Button>
          )
        }
      />
      {mayCreate && state.get('open') === 'new' && (
        <NewReturn onClose={() => state.set({ open: null })} />
      )}
    </>
  );
}

/** Asks for place and supplier; items are entered on the next page. */
function NewReturn({ onClose }: { onClose(): void }) {
  // Kitchens and warehouses are for users of all stores.
  const everywhere = useMe().user.storeIds === null;
  const place = usePlaceChoice({ stores: true, kitchens: everywhere });
  const { placeKind, placeId } = place;
  const { data: suppliers = [] } = useNames('suppliers');
  const [supplierId, setSupplierId] = useState<string | null>(null);
  return (
    <NewDocument
      def={supplierReturnDef}
      confirm="Start return"
      draft={placeId && supplierId ? { placeKind, placeId, supplierId, lines: [] } : null}
      onClose={onClose}
      fields={(errorOf) => (
        <>
          <PlaceSelect
            choice={place}
            label="From"
            placeholder="Where the goods are"
            error={errorOf('placeId')}
          />
          <Select
            w="100%"
            label="Supplier"
            placeholder="Who gets them back"
            data={suppliers.map(({ id, name }) => ({ value: id, label: name }))}
            limit={60}
            value={supplierId}
            onChange={setSupplierId}
            searchable
            openOnFocus={false}
            nothingFoundMessage="No such supplier"
            error={errorOf('supplierId')}
          />
        </>
      )}
    />
  );
}
