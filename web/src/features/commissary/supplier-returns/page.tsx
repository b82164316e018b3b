import { Button, Select } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { useNavigate } from 'react-router';
import { useNames } from '#/api/names';
import { Problem } from '#/api/problem';
import { useCan, useMe } from '#/api/session';
import { documentChanged } from '#/documents/api';
import classes from '#/documents/Document.module.css';
import { DocumentList } from '#/documents/DocumentList';
import { supplierReturnDef, supplierReturnsApi } from '#/documents/supplierReturns';
import { useTableState } from '#/table/useTableState';
import { Dialog } from '#/ui/Dialog';
import { ErrorBox } from '#/ui/ErrorBox';
import { storeOptions, useMyStores } from '#/ui/StoreChoice';

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

/** Places that can return goods: the user's stores; kitchens and warehouses for users of all stores. */
function usePlaces() {
  const { open: stores } = useMyStores();
  const everywhere = useMe().user.storeIds === null;
  const { data: kitchens = [] } = useNames('commissaries', everywhere);
  const { data: warehouses = [] } = useNames('warehouses', everywhere);
  const { data: colds = [] } = useNames('cold-storages', everywhere);
  const group = (label: string, kind: string, places: { value: string; label: string }[]) =>
    places.length > 0
      ? [{ group: label, items: places.map((one) => ({ ...one, value: `${kind} ${one.value}` })) }]
      : [];
  return [
    ...group('Stores', 'store', storeOptions(stores)),
    ...group('Commissaries', 'commissary', storeOptions(kitchens)),
    ...group('Warehouses', 'warehouse', storeOptions(warehouses)),
    ...group('Cold storages', 'coldStorage', storeOptions(colds)),
  ];
}

/** Asks for place and supplier; items are entered on the next page. */
function NewReturn({ onClose }: { onClose(): void }) {
  const navigate = useNavigate();
  const places = usePlaces();
  const { data: suppliers = [] } = useNames('suppliers');
  const [place, setPlace] = useState<string | null>(null);
  const [supplierId, setSupplierId] = useState<string | null>(null);
  const key = useRef(crypto.randomUUID());
  const [placeKind, placeId] = (place ?? '').split(' ');
  const create = useMutation({
    mutationFn: () =>
      supplierReturnsApi.create({ placeKind, placeId, supplierId, lines: [] }, key.current),
    onSuccess: (made) => {
      documentChanged(supplierReturnDef, made);
      void navigate(supplierReturnDef.href(made.id));
    },
    onError: () => {
      key.current = crypto.randomUUID();
    },
  });
  const problem = create.error && Problem.of(create.error);
  const errorOf = (field: string) =>
    problem?.fields.find((one) => one.field === field)?.message ?? null;
  return (
    <Dialog
      opened
      title="New supplier return"
      keep="Cancel"
      confirm="Start return"
      busy={create.isPending}
      disabled={!placeId || !supplierId}
      onConfirm={() => create.mutate()}
      onClose={onClose}
    >
      <div className={classes.fields}>
        {problem && problem.fields.length === 0 && <ErrorBox focus>{problem.message}</ErrorBox>}
        <Select
          w="100%"
          label="From"
          placeholder="Where the goods are"
          data={places}
          value={place}
          onChange={setPlace}
          searchable
          openOnFocus={false}
          data-autofocus
          nothingFoundMessage="No such place"
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
      </div>
    </Dialog>
  );
}
