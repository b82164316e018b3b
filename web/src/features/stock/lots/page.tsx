import { Select } from '@mantine/core';
import { IconBarcode, IconPackage } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { useNavigate } from 'react-router';
import { request } from '#/api/client';
import { useNames } from '#/api/names';
import { to } from '#/paths';
import { LOTS, type LotItem } from '#/stock/api';
import { SOON } from '#/stock/Expiry';
import { DataTable } from '#/table/DataTable';
import { useServerSource } from '#/table/sources';
import { useTableState } from '#/table/useTableState';
import { addDays, today } from '#/ui/dates';
import { count } from '#/ui/format';
import { Segments } from '#/ui/Segments';
import { columnsOf } from './columns';
import { PlaceFilter, readPlace } from './PlaceFilter';

/** Lots by place, first to expire first. */
export default function LotsPage() {
  const state = useTableState();
  const navigate = useNavigate();
  const only = state.get('only');
  const placeText = state.get('place');
  const place = readPlace(placeText);
  const productId = state.get('product');
  const filter = {
    q: state.q || undefined,
    productId: productId || undefined,
    placeKind: place?.placeKind as 'store' | undefined,
    placeId: place?.placeId,
    expiresBy: only === 'soon' ? addDays(today(), SOON) : undefined,
    recalled: only === 'recalled' || undefined,
  };
  const ask = (page: number, pageSize: number, signal: AbortSignal) =>
    request('GET', '/api/stock/lots', { query: { ...filter, page, pageSize }, signal });
  const source = useServerSource<LotItem>([...LOTS, 'page', filter], ask);
  const { data: counts } = useQuery({
    queryKey: [...LOTS, 'counts'],
    queryFn: ({ signal }) => request('GET', '/api/stock/lots', { query: { pageSize: 1 }, signal }),
  });
  const columns = useMemo(() => columnsOf(placeText), [placeText]);
  const hrefOf = ({ lot, productId: product }: LotItem) => to('stockLot', { lot }, { product });
  const withCount = (label: string, n: number | undefined) =>
    n === undefined ? label : `${label} ${count(n)}`;

  return (
    <DataTable<LotItem>
      id="stock-lots"
      title="Lots"
      one="lot"
      many="lots"
      icon={IconBarcode}
      source={source}
      columns={columns}
      rowId={({ productId: product, lot }) => `${product}_${lot}`}
      rowLabel={({ lot, name }) => `Lot ${lot} of ${name}`}
      state={state}
      placeholder="Find by lot or product"
      narrowed={Boolean(only || placeText || productId)}
      onClear={() => state.set({ q: null, only: null, place: null, product: null })}
      filters={
        <>
          <Segments
            label="Which"
            value={only}
            options={[
              { value: '', label: 'All' },
              { value: 'soon', label: withCount('Expires soon', counts?.expiresSoon) },
              { value: 'recalled', label: withCount('Recalled', counts?.recalled) },
            ]}
            onChange={(next) => state.set({ only: next || null })}
          />
          <PlaceFilter value={placeText} onChange={(next) => state.set({ place: next || null })} />
          <ProductFilter
            value={productId}
            onChange={(next) => state.set({ product: next || null })}
          />
        </>
      }
      hrefOf={hrefOf}
      onOpen={(lot) => void navigate(hrefOf(lot))}
      faded={({ qty }) => qty <= 0}
      empty={{
        title: 'No lots yet',
        text: 'A lot begins when a kitchen posts a batch, or a receipt names one.',
      }}
    />
  );
}

function ProductFilter({ value, onChange }: { value: string; onChange(id: string): void }) {
  const { data = [] } = useNames('products');
  return (
    <Select
      aria-label="Product"
      placeholder="All products"
      size="xs"
      w={200}
      leftSection={<IconPackage size={15} stroke={1.7} aria-hidden />}
      data={data.map(({ id, name }) => ({ value: id, label: name }))}
      limit={60}
      value={value || null}
      onChange={(id) => onChange(id ?? '')}
      searchable
      clearable
      clearButtonProps={{ 'aria-label': 'All products' }}
      nothingFoundMessage="No such product"
    />
  );
}
