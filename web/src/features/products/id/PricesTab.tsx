import { IconTag } from '@tabler/icons-react';
import { useMemo } from 'react';
import { useNames } from '#/api/names';
import { DataTable } from '#/table/DataTable';
import type { Column } from '#/table/types';
import { useTableState } from '#/table/useTableState';
import { amount } from '#/ui/format';
import { PageButton } from '#/ui/PageButton';
import type { Product } from '../api';
import { useUnitName } from '../names';
import { unitsOf } from '../unitForm';
import { FACTOR_PLACES, formatFixed, Units } from '../units';
import { PriceHistory } from './PriceHistory';
import { staticSource } from './staticSource';

interface Row {
  id: string;
  name: string;
  price: number | null;
  each: number | null;
}

/** The product's price at every level and by day; without a price it is not sold at that level. */
export function PricesTab({ product }: { product: Product }) {
  const state = useTableState();
  const { data: levels = [] } = useNames('price-levels');
  const unitOf = useUnitName();
  const base = unitOf(product.baseUom);
  const selling = unitOf(product.defaultSellingUom) || base;

  const rows = useMemo(() => {
    const { base: unit, lines } = unitsOf(product);
    const factor =
      unit && product.defaultSellingUom
        ? new Units(unit, lines).factor(product.defaultSellingUom, unit)
        : null;
    const size = factor === null ? null : Number(formatFixed(factor, FACTOR_PLACES));
    return levels.map(({ id, name }): Row => {
      const price = product.priceLevelPrices.find(({ priceLevelId }) => priceLevelId === id)?.price;
      return {
        id,
        name,
        price: price ?? null,
        each: price === undefined || !size ? null : price / size,
      };
    });
  }, [product, levels]);

  const columns = useMemo<Column<Row>[]>(
    () => [
      { id: 'name', label: 'Price level', value: ({ name }) => name, primary: true },
      {
        id: 'price',
        label: `Price for one ${selling || 'selling unit'} (₱)`,
        value: ({ price }) => price,
        number: amount,
        width: 220,
        phone: 'end',
      },
      ...(selling !== base
        ? [
            {
              id: 'each',
              label: `For one ${base} (₱)`,
              value: ({ each }: Row) => each,
              number: amount,
              width: 180,
            },
          ]
        : []),
    ],
    [selling, base],
  );

  return (
    <>
      <DataTable<Row>
        bare
        plain
        id="product-prices"
        title="Prices"
        one="price"
        many="price levels"
        icon={IconTag}
        source={staticSource(rows)}
        columns={columns}
        rowId={({ id }) => id}
        rowLabel={({ name }) => name}
        state={state}
        faded={({ price }) => price === null}
        empty={{
          text: 'Make price levels first; then a product has a price for each.',
          action: <PageButton page="listPriceLevels">Open price levels</PageButton>,
        }}
      />
      <PriceHistory product={product} />
    </>
  );
}
