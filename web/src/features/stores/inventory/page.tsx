import { Button } from '@mantine/core';
import { IconPackage, IconPrinter } from '@tabler/icons-react';
import { useMemo } from 'react';
import { useCan } from '#/api/session';
import type { By } from '#/stock/ledger/api';
import { RecallNotice } from '#/stock/RecallNotice';
import { DataTable } from '#/table/DataTable';
import { clientSource } from '#/table/sources';
import { useTableState } from '#/table/useTableState';
import { day } from '#/ui/format';
import { Page } from '#/ui/Page';
import { Segments } from '#/ui/Segments';
import { StoreChoice, useMyStores, usePlace } from '#/ui/StoreChoice';
import { exportHref, type OnHand, useInventory } from './api';
import { CloseNotice } from './CloseNotice';
import { CountGrid } from './CountGrid';
import { CountSheet } from './CountSheet';
import { columnsOf, isToCheck } from './columns';
import { CLOSED, LedgerDrawer } from './LedgerDrawer';
import { SalesNotice } from './SalesNotice';
import { VarianceChart } from './VarianceChart';

type View = 'onHand' | 'counts';

/** The segments: rows that need attention, by reason. */
const ONLY: Readonly<Record<string, (row: OnHand) => boolean>> = {
  negative: ({ negative }) => negative,
  uncounted: ({ lastCount }) => !lastCount,
  check: isToCheck,
};

/** A store's stock by item, and its counts by day. */
export default function StoreInventoryPage() {
  const state = useTableState();
  const { stores } = useMyStores();
  const storeId = state.get('store') || (stores[0]?.id ?? '');
  const by: By = state.get('by') === 'rootItems' ? 'rootItems' : 'items';
  const view: View = state.get('view') === 'counts' ? 'counts' : 'onHand';
  const place = usePlace(storeId);
  const printing = state.get('print') === 'sheet';
  const mayExport = useCan('stores/storeInventory', 'export');
  const query = useInventory(storeId, by);
  const only = state.get('only');
  const rows = useMemo(() => {
    const items = query.data?.items;
    const is = ONLY[only];
    return items && is ? items.filter(is) : items;
  }, [query.data, only]);
  const columns = useMemo(() => columnsOf(by, query.data?.items ?? []), [by, query.data]);

  const store = (
    <StoreChoice value={storeId} onChange={(id) => state.set({ store: id, ...CLOSED }, true)} />
  );
  const views = (
    <Segments<View>
      label="View"
      value={view}
      options={[
        { value: 'onHand', label: 'On hand' },
        { value: 'counts', label: 'Counts' },
      ]}
      onChange={(next) => state.set({ view: next === 'onHand' ? null : next })}
    />
  );
  const print = (
    <Button
      variant="default"
      leftSection={<IconPrinter size={16} stroke={1.7} aria-hidden />}
      onClick={() => state.set({ print: 'sheet' }, true)}
    >
      Count sheet
    </Button>
  );

  if (printing) {
    return <CountSheet storeId={storeId} onClose={() => state.set({ print: null })} />;
  }
  if (view === 'counts') {
    return (
      <CountGrid
        storeId={storeId}
        place={place}
        state={state}
        store={store}
        views={views}
        actions={print}
      />
    );
  }
  return (
    <Page
      fill
      title="Store inventory"
      place={place}
      aside={query.data && `as of ${day(query.data.asOf)}`}
      actions={print}
    >
      {storeId && <RecallNotice storeId={storeId} />}
      {query.data && <SalesNotice data={query.data} />}
      {query.data && <CloseNotice storeId={storeId} rows={query.data.items} />}
      {query.data && <VarianceChart items={query.data.items} />}
      <DataTable<OnHand>
        bare
        id={`store-inventory-${by}`}
        title="Store inventory"
        one={by === 'items' ? 'item' : 'root item'}
        many={by === 'items' ? 'items' : 'root items'}
        icon={IconPackage}
        source={clientSource({ ...query, data: rows })}
        columns={columns}
        rowId={({ id }) => id}
        rowLabel={({ name }) => name}
        state={state}
        onOpen={({ id }) => state.set({ item: id }, true)}
        narrowed={only !== ''}
        onClear={() => state.set({ q: null, only: null })}
        filters={
          <>
            {store}
            {views}
            <Segments<By>
              label="By"
              value={by}
              options={[
                { value: 'items', label: 'Items' },
                { value: 'rootItems', label: 'Root items' },
              ]}
              onChange={(next) =>
                state.set({
                  by: next === 'items' ? null : next,
                  ...CLOSED,
                })
              }
            />
            <Segments
              label="Which"
              value={only}
              options={[
                { value: '', label: 'All' },
                { value: 'negative', label: 'Below zero' },
                { value: 'uncounted', label: 'Never counted' },
                { value: 'check', label: 'To check' },
              ]}
              onChange={(next) => state.set({ only: next || null })}
            />
          </>
        }
        exportHref={mayExport ? exportHref(storeId, by) : undefined}
        empty={{
          title: 'No items yet',
          text: 'The items this store counts show here with their stock.',
        }}
      />
      {storeId && (
        <LedgerDrawer
          storeId={storeId}
          by={by}
          name={query.data?.items.find(({ id }) => id === state.get('item'))?.name}
          state={state}
        />
      )}
    </Page>
  );
}
