import { Select } from '@mantine/core';
import { IconArrowsExchange } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { DataTable } from '#/table/DataTable';
import { useServerSource } from '#/table/sources';
import type { Column } from '#/table/types';
import { useTableState } from '#/table/useTableState';
import { count, day, moment, qty } from '#/ui/format';
import { KEY, type Movement, type PlaceKind, type Product, productsApi } from '../api';
import { useUnitName } from '../names';
import { documentName, placeName, placesOf } from '../places';
import classes from './MovementsTab.module.css';

/** The product's stock movements with their documents and balances. */
export function MovementsTab({ product }: { product: Product }) {
  const state = useTableState();
  const base = useUnitName()(product.baseUom);
  const place = state.get('place');
  const [placeKind, placeId] = place.split(':');
  const query = {
    placeKind: (placeKind || undefined) as PlaceKind | undefined,
    placeId: placeId || undefined,
  };
  const source = useServerSource<Movement>(
    [...KEY, 'movements', product.id, query],
    (page, pageSize, signal) =>
      productsApi.movements(product.id, { ...query, page, pageSize }, signal),
  );
  const stock = useQuery({
    queryKey: [...KEY, 'stock', product.id],
    queryFn: ({ signal }) => productsApi.stock(product.id, signal),
  });

  const columns = useMemo<Column<Movement>[]>(() => columnsOf(base), [base]);

  return (
    <>
      <div className={classes.bar}>
        <Select
          size="xs"
          className={classes.filter}
          aria-label="Place"
          placeholder="All places"
          data={placesOf(stock.data).map((one) => ({
            value: `${one.placeKind}:${one.placeId}`,
            label: placeName(one),
          }))}
          value={place || null}
          searchable
          openOnFocus={false}
          clearable
          clearButtonProps={{ 'aria-label': 'All places' }}
          nothingFoundMessage="Nothing matches"
          onChange={(chosen) => state.set({ place: chosen })}
        />
        {!source.pending && !source.error && (
          <span className={`${classes.count} num`}>
            {count(source.total)} {source.total === 1 ? 'movement' : 'movements'}
          </span>
        )}
      </div>
      <DataTable<Movement>
        bare
        plain
        id="product-movements"
        title="Movements"
        one="movement"
        many="movements"
        icon={IconArrowsExchange}
        source={source}
        columns={columns}
        rowId={({ seq }) => String(seq)}
        rowLabel={({ documentType }) => documentName(documentType)}
        state={state}
        narrowed={Boolean(place)}
        onClear={() => state.set({ place: null })}
        empty={{
          text: 'Every delivery, transfer and adjustment is kept here.',
        }}
      />
    </>
  );
}

function columnsOf(base: string): Column<Movement>[] {
  return [
    {
      id: 'document',
      label: 'Document',
      value: ({ documentType }) => documentName(documentType),
      primary: true,
      sortable: false,
    },
    {
      id: 'postedAt',
      label: 'Posted',
      value: ({ postedAt }) => postedAt,
      cell: ({ postedAt }) => moment(postedAt),
      width: 160,
      sortable: false,
      phone: 'sub',
    },
    {
      id: 'businessDate',
      label: 'Business date',
      value: ({ businessDate }) => businessDate,
      cell: ({ businessDate }) => day(businessDate),
      width: 120,
      muted: true,
      sortable: false,
      phone: 'none',
    },
    {
      id: 'place',
      label: 'Place',
      value: placeName,
      width: 180,
      sortable: false,
      phone: 'sub',
    },
    {
      id: 'reason',
      label: 'Reason',
      value: ({ reason }) => reason,
      width: 200,
      sortable: false,
      phone: 'none',
    },
    {
      id: 'by',
      label: 'By',
      value: ({ by }) => by.name || by.email,
      width: 140,
      muted: true,
      sortable: false,
      phone: 'none',
    },
    {
      id: 'qty',
      label: base ? `Change (${base})` : 'Change',
      value: (movement) => movement.qty,
      cell: (movement) => (
        <span className={movement.qty < 0 ? classes.out : classes.in}>
          {movement.qty > 0 && '+'}
          {qty(movement.qty)}
        </span>
      ),
      align: 'right',
      width: 130,
      sortable: false,
      phone: 'end',
    },
    {
      id: 'balanceAfter',
      label: 'Balance after',
      title: 'On hand at that place afterwards; a store is counted instead',
      value: ({ balanceAfter }) => balanceAfter,
      number: qty,
      width: 130,
      sortable: false,
      phone: 'none',
    },
  ];
}
