import { Button, Select, Switch } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { useNavigate } from 'react-router';
import { useNames } from '#/api/names';
import { Problem } from '#/api/problem';
import { useCan } from '#/api/session';
import { documentChanged } from '#/documents/api';
import classes from '#/documents/Document.module.css';
import { DocumentList } from '#/documents/DocumentList';
import { stockTakeDef, stockTakesApi } from '#/documents/stockTakes';
import { useTableState } from '#/table/useTableState';
import { Dialog } from '#/ui/Dialog';
import { ErrorBox } from '#/ui/ErrorBox';
import { storeOptions } from '#/ui/StoreChoice';

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

/** Places that keep a running stock. */
function usePlaces() {
  const { data: kitchens = [] } = useNames('commissaries');
  const { data: warehouses = [] } = useNames('warehouses');
  const { data: colds = [] } = useNames('cold-storages');
  const group = (label: string, kind: string, places: { value: string; label: string }[]) =>
    places.length > 0
      ? [{ group: label, items: places.map((one) => ({ ...one, value: `${kind} ${one.value}` })) }]
      : [];
  return [
    ...group('Commissaries', 'commissary', storeOptions(kitchens)),
    ...group('Warehouses', 'warehouse', storeOptions(warehouses)),
    ...group('Cold storages', 'coldStorage', storeOptions(colds)),
  ];
}

/** Asks for the place; the sheet is proposed on the next page. */
function NewTake({ onClose }: { onClose(): void }) {
  const navigate = useNavigate();
  const places = usePlaces();
  const { data: areas = [] } = useNames('storage-requirements');
  const only = places.length === 1 && places[0]?.items.length === 1 ? places[0].items[0] : null;
  const [chosen, setPlace] = useState<string | null>(null);
  const place = chosen ?? only?.value ?? null;
  const [areaId, setArea] = useState<string | null>(null);
  const [blind, setBlind] = useState(false);
  const key = useRef(crypto.randomUUID());
  const [placeKind, placeId] = (place ?? '').split(' ');
  const create = useMutation({
    mutationFn: () =>
      stockTakesApi.create({ placeKind, placeId, areaId: areaId ?? '', blind }, key.current),
    onSuccess: (made) => {
      documentChanged(stockTakeDef, made);
      void navigate(stockTakeDef.href(made.id));
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
      title="New stock-take"
      keep="Cancel"
      confirm="Make sheet"
      busy={create.isPending}
      disabled={!placeId}
      onConfirm={() => create.mutate()}
      onClose={onClose}
    >
      <div className={classes.fields}>
        {problem && problem.fields.length === 0 && <ErrorBox focus>{problem.message}</ErrorBox>}
        <Select
          w="100%"
          label="Place"
          placeholder="Where you count"
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
          label="Area"
          placeholder="All areas"
          data={areas.map(({ id, name }) => ({ value: id, label: name }))}
          value={areaId}
          onChange={setArea}
          clearable
          searchable
          openOnFocus={false}
          nothingFoundMessage="No such area"
          error={errorOf('areaId')}
        />
        <Switch
          w="100%"
          label="Blind: hide the ledger's quantities while counting"
          checked={blind}
          onChange={(event) => setBlind(event.currentTarget.checked)}
        />
      </div>
    </Dialog>
  );
}
