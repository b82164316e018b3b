import { IconCarrot } from '@tabler/icons-react';
import { useMemo } from 'react';
import { useNameOf } from '#/api/names';
import { recordPath } from '#/records';
import { DataTable } from '#/table/DataTable';
import type { Column } from '#/table/types';
import { useTableState } from '#/table/useTableState';
import { inFull, qty } from '#/ui/format';
import type { Product } from '../api';
import { useUnitName } from '../names';
import { unitsOf } from '../unitForm';
import { parseFixed, QTY_PLACES, Units } from '../units';
import { staticSource } from './staticSource';

interface Row {
  id: string;
  name: string;
  factor: number;
  /** The quantity in one selling unit. */
  sold: number | null;
  all: number;
}

/** The product's root items: per base unit, per selling unit, and in all of the stock. */
export function RootItemsTab({ product }: { product: Product }) {
  const state = useTableState();
  const names = useNameOf('root-items');
  const unitOf = useUnitName();
  const base = unitOf(product.baseUom);
  const selling = unitOf(product.defaultSellingUom);

  const rows = useMemo(() => {
    const { base: unit, lines } = unitsOf(product);
    const worth =
      unit && product.defaultSellingUom
        ? new Units(unit, lines).convert(
            parseFixed('1', QTY_PLACES) ?? 0n,
            product.defaultSellingUom,
            unit,
          )
        : null;
    const exact = (number: number) => Math.round(number * 1e6) / 1e6;
    return product.rootItemConversions.map(
      ({ rootItemId, factor }): Row => ({
        id: rootItemId,
        name: names.get(rootItemId)?.name ?? '',
        factor,
        sold: worth === null ? null : exact((Number(worth) / 1e6) * factor),
        all: exact(product.quantity * factor),
      }),
    );
  }, [product, names]);

  const columns = useMemo<Column<Row>[]>(
    () => [
      { id: 'name', label: 'Root item', value: ({ name }) => name, primary: true },
      {
        id: 'factor',
        label: `In one ${base || 'base unit'}`,
        value: ({ factor }) => factor,
        number: inFull,
        width: 150,
        phone: 'end',
      },
      {
        id: 'sold',
        label: `In one ${selling || 'selling unit'}`,
        value: ({ sold }) => sold,
        number: inFull,
        width: 150,
      },
      { id: 'all', label: 'On hand', value: ({ all }) => all, number: qty, width: 150 },
    ],
    [base, selling],
  );

  return (
    <DataTable<Row>
      bare
      plain
      id="product-root-items"
      title="Root items"
      one="root item"
      many="root items"
      icon={IconCarrot}
      source={staticSource(rows)}
      columns={columns}
      rowId={({ id }) => id}
      rowLabel={({ name }) => name}
      hrefOf={({ id }) => recordPath('rootItem', id) ?? ''}
      state={state}
      empty={{ text: 'Until there are some, this product is not part of any forecast.' }}
    />
  );
}
