import { IconBuildingWarehouse } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { DataTable } from '#/table/DataTable';
import { clientSource } from '#/table/sources';
import type { Column } from '#/table/types';
import { useTableState } from '#/table/useTableState';
import { moment, qty } from '#/ui/format';
import { KEY, type Product, productsApi } from '../api';
import { useUnitName } from '../names';
import { countsToQuantity, type Held, placeKindName, placeName, placesOf } from '../places';
import { StockChart } from './StockChart';

type Places = Parameters<typeof clientSource<Held>>[0];

/** Stock by place, and the quantity over time. */
export function StockTab({ product }: { product: Product }) {
  const state = useTableState();
  const base = useUnitName()(product.baseUom);
  const stock = useQuery({
    queryKey: [...KEY, 'stock', product.id],
    queryFn: ({ signal }) => productsApi.stock(product.id, signal),
  });
  const columns = useMemo<Column<Held>[]>(
    () => [
      { id: 'place', label: 'Place', value: placeName, primary: true },
      {
        id: 'kind',
        label: 'Kind',
        value: ({ placeKind }) => placeKindName(placeKind),
        width: 150,
        phone: 'sub',
      },
      {
        id: 'qty',
        label: base ? `On hand (${base})` : 'On hand',
        value: (place) => place.qty,
        number: qty,
        width: 160,
        phone: 'end',
      },
      {
        id: 'basis',
        label: 'Known by',
        value: ({ basis }) => basis,
        width: 220,
        muted: true,
        phone: 'sub',
      },
      {
        id: 'at',
        label: 'Counted or moved',
        value: ({ at }) => at,
        cell: ({ at }) => moment(at),
        width: 180,
        muted: true,
        phone: 'sub',
      },
    ],
    [base],
  );

  const places = useMemo(() => stock.data && placesOf(stock.data), [stock.data]);

  return (
    <>
      <StockChart product={product} />
      <DataTable<Held>
        bare
        plain
        id="product-stock"
        title="Stock by place"
        one="place"
        many="places"
        icon={IconBuildingWarehouse}
        source={clientSource({ ...stock, data: places } as Places)}
        columns={columns}
        rowId={({ placeKind, placeId }) => `${placeKind}:${placeId}`}
        rowLabel={placeName}
        state={state}
        faded={({ placeKind }) => !countsToQuantity(placeKind)}
        empty={{
          title: 'Nothing in stock yet',
          text: 'Adjust the quantity, or receive a delivery; every movement is kept.',
        }}
      />
    </>
  );
}
