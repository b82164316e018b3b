import { Button } from '@mantine/core';
import {
  IconBuildingStore,
  IconCalendarWeek,
  IconEye,
  IconEyeOff,
  IconPencil,
  IconPlus,
} from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { Link, useNavigate } from 'react-router';
import { Problem } from '#/api/problem';
import { useCan } from '#/api/session';
import { useNamesOf } from '#/lists/api';
import { sendInParts } from '#/lists/bulk/send';
import { useUndo } from '#/lists/useUndo';
import { to } from '#/paths';
import { DataTable } from '#/table/DataTable';
import { clientSource } from '#/table/sources';
import { type TableState, useTableState, writeSort } from '#/table/useTableState';
import { plural } from '#/ui/format';
import { Segments } from '#/ui/Segments';
import { lastingError } from '#/ui/toast';
import { type Location, locationsApi, locationsChanged } from './api';
import { columnsOf, refKinds } from './columns';
import { DeliveryBoard } from './deliveries/DeliveryBoard';

/** The stores, or their delivery days. */
export default function LocationsPage() {
  const state = useTableState();
  return state.get('view') === 'deliveries' ? <DeliveryBoard /> : <Locations state={state} />;
}

function Locations({ state }: { state: TableState }) {
  const navigate = useNavigate();
  const mayCreate = useCan('stores/storeList', 'create');
  const mayEdit = useCan('stores/storeList', 'edit');
  const mayExport = useCan('stores/storeList', 'export');
  const all = state.get('includeInactive') === 'true';
  const filter = useMemo(() => (all ? { includeInactive: 'true' } : {}), [all]);

  const query = useQuery({
    queryKey: ['stores', 'all', filter],
    queryFn: async ({ signal }) => (await locationsApi.all(filter, signal)).items,
  });
  const nameOf = useNamesOf(refKinds);
  const columns = useMemo(() => columnsOf(nameOf), [nameOf]);

  const newPath = to('storesLocation', { id: 'new' });
  const create = mayCreate && (
    <Button component={Link} to={newPath} leftSection={<IconPlus size={17} aria-hidden />}>
      New store
    </Button>
  );

  const { offer } = useUndo(locationsApi, locationsChanged);

  async function setInactive(stores: readonly Location[], inactive: boolean): Promise<void> {
    const wanted = stores.filter((store) => store.inactive !== inactive);
    try {
      const sent = await sendInParts(locationsApi, wanted, { inactive }, ({ name }) => name);
      if (sent.done.length > 0) {
        const made = `${plural(sent.done.length, 'store')} made ${inactive ? 'inactive' : 'active'}`;
        offer({ message: made, records: sent.done });
      }
      const [first] = sent.failed;
      if (first) lastingError(`${first.name}: ${first.why}`);
    } catch (error) {
      lastingError(Problem.of(error).message);
    } finally {
      locationsChanged();
    }
  }

  return (
    <DataTable<Location>
      id="locations"
      title="Locations"
      one="store"
      many="stores"
      icon={IconBuildingStore}
      source={clientSource(query)}
      columns={columns}
      rowId={({ id }) => id}
      rowLabel={({ name }) => name}
      state={state}
      placeholder="Filter by name, code or area"
      narrowed={!all && query.data?.length === 0 ? false : undefined}
      filters={
        <Segments
          label="Shown"
          value={all ? 'all' : 'active'}
          options={[
            { value: 'active', label: 'Active' },
            { value: 'all', label: 'All' },
          ]}
          onChange={(value) => state.set({ includeInactive: value === 'all' ? 'true' : null })}
        />
      }
      actions={
        <>
          <Button
            variant="default"
            leftSection={<IconCalendarWeek size={17} aria-hidden />}
            onClick={() => state.set({ view: 'deliveries' }, true)}
          >
            Delivery days
          </Button>
          {create}
        </>
      }
      hrefOf={({ id }) => to('storesLocation', { id })}
      onOpen={({ id }) => void navigate(to('storesLocation', { id }))}
      onNew={mayCreate ? () => void navigate(newPath) : undefined}
      rowActions={[
        {
          label: mayEdit ? 'Edit' : 'Open',
          icon: IconPencil,
          run: ({ id }) => void navigate(to('storesLocation', { id })),
        },
        {
          label: 'Make inactive',
          icon: IconEyeOff,
          shown: ({ inactive }) => mayEdit && !inactive,
          run: (store) => void setInactive([store], true),
        },
        {
          label: 'Make active',
          icon: IconEye,
          shown: ({ inactive }) => mayEdit && inactive,
          run: (store) => void setInactive([store], false),
        },
      ]}
      bulkActions={
        mayEdit
          ? [
              {
                label: 'Make inactive',
                run: (stores, clear) => void setInactive(stores, true).then(clear),
              },
              {
                label: 'Make active',
                run: (stores, clear) => void setInactive(stores, false).then(clear),
              },
            ]
          : []
      }
      exportHref={
        mayExport
          ? (format) =>
              locationsApi.exportHref(format, {
                ...filter,
                q: state.q || undefined,
                sort: writeSort(state.sort) ?? undefined,
              })
          : undefined
      }
      faded={({ inactive }) => inactive}
      empty={{
        text: 'Add your first store to start.',
        action: create,
      }}
    />
  );
}
