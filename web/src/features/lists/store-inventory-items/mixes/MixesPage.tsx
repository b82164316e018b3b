import { IconPercentage } from '@tabler/icons-react';
import { useMemo, useState } from 'react';
import { useNameOf } from '#/api/names';
import { useCan } from '#/api/session';
import { pages } from '#/paths';
import { DataTable } from '#/table/DataTable';
import { clientSource } from '#/table/sources';
import type { Column } from '#/table/types';
import { useTableState } from '#/table/useTableState';
import { BackLink } from '#/ui/BackLink';
import { inFull } from '#/ui/format';
import { StatusPill } from '#/ui/StatusPill';
import { StoreChoice, useMyStores, usePlace } from '#/ui/StoreChoice';
import { type Split, useItems, useMixes } from '../api';
import { MixDrawer } from './MixDrawer';
import { sumOf, TOTAL_PERCENT } from './splits';

interface Row {
  itemId: string;
  name: string;
  area: string;
  splits: readonly Split[];
}

/** How a store's counts of an item are split over recipes. */
export function MixesPage() {
  const state = useTableState();
  const mayEdit = useCan('lists/storeInventoryItems', 'edit');
  const { stores } = useMyStores();
  const storeId = state.get('store') || (stores[0]?.id ?? '');
  const place = usePlace(storeId);
  const items = useItems();
  const mixes = useMixes(storeId);
  const recipes = useNameOf('recipes');
  const [open, setOpen] = useState<Row | null>(null);

  const rows = useMemo(() => {
    if (!items.data || !mixes.data) return undefined;
    const splits = new Map(mixes.data.map((mix) => [mix.itemId, mix.splits]));
    return items.data.map(
      (item): Row => ({
        itemId: item.id,
        name: item.name,
        area: item.storageArea ?? '',
        splits: splits.get(item.id) ?? [],
      }),
    );
  }, [items.data, mixes.data]);

  const columns = useMemo<Column<Row>[]>(
    () => [
      { id: 'name', label: 'Item', value: ({ name }) => name, primary: true, width: 260 },
      { id: 'area', label: 'Storage area', value: ({ area }) => area, width: 140, muted: true },
      {
        id: 'splits',
        label: 'Split',
        value: ({ splits }) =>
          splits
            .map(
              ({ recipeId, percent }) =>
                `${recipes.get(recipeId)?.name ?? '…'} ${inFull(percent)}%`,
            )
            .join(', '),
        phone: 'sub',
      },
      {
        id: 'sum',
        label: 'Sum',
        value: ({ splits }) => (splits.length ? sumOf(splits) : null),
        cell: ({ splits }) => {
          if (splits.length === 0) return '–';
          const sum = sumOf(splits);
          return (
            <StatusPill
              tone={sum === TOTAL_PERCENT ? 'ok' : 'warn'}
            >{`${inFull(sum)}%`}</StatusPill>
          );
        },
        width: 110,
        align: 'right',
        phone: 'end',
      },
    ],
    [recipes],
  );

  return (
    <>
      <DataTable<Row>
        id="item-mixes"
        title="Mixes"
        place={place}
        back={<BackLink to={pages.listStoreInventoryItems.path} label="Store inventory items" />}
        one="item"
        many="items"
        icon={IconPercentage}
        source={clientSource({
          data: rows,
          isPending: items.isPending || mixes.isPending,
          error: items.error ?? mixes.error,
          refetch: () => Promise.all([items.refetch(), mixes.refetch()]),
        })}
        columns={columns}
        rowId={({ itemId }) => itemId}
        rowLabel={({ name }) => name}
        state={state}
        onOpen={setOpen}
        filters={<StoreChoice value={storeId} onChange={(id) => state.set({ store: id }, true)} />}
        empty={{
          title: 'No store inventory items yet',
          text: 'A mix says which recipes a counted quantity stands for, in percent.',
        }}
      />
      <MixDrawer
        key={open?.itemId ?? ''}
        item={open}
        storeId={storeId}
        readOnly={!mayEdit}
        onClose={() => setOpen(null)}
      />
    </>
  );
}
