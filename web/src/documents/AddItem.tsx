import { Button, Select } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { request } from '#/api/client';
import { useNameOf, useNames } from '#/api/names';
import { useCan } from '#/api/session';
import { NumericInput } from '#/ui/NumericInput';
import { kindOfUnit } from '#/ui/numberInput';
import classes from './AddItem.module.css';

export interface AddedItem {
  productId: string;
  name: string;
  /** Absent for the product's own unit. */
  uomId?: string;
  unit: string;
  qty: number;
}

interface Props {
  onAdd(item: AddedItem): void;
  busy?: boolean;
}

/** Adds a line: product, unit and quantity. */
export function AddItem({ onAdd, busy }: Props) {
  const { data: products = [] } = useNames('products');
  const uoms = useNameOf('uoms');
  const maySeeProducts = useCan('products/products');
  const search = useRef<HTMLInputElement>(null);
  const [productId, setProductId] = useState<string | null>(null);
  const [unit, setUnit] = useState<string | null>(null);
  const [qty, setQty] = useState<number | null>(1);
  const { data: product } = useQuery({
    queryKey: ['lists', 'products', 'units', productId],
    queryFn: ({ signal }) =>
      request('GET', '/api/products/{id}', { path: { id: productId ?? '' }, signal }),
    enabled: maySeeProducts && productId !== null,
  });
  const others = product?.otherUoms ?? [];
  const units = [
    ...new Set(
      product
        ? [product.defaultSellingUom, product.baseUom, ...others.map((other) => other.uomId)]
        : [],
    ),
  ].filter((id): id is string => Boolean(id));
  const uomId = unit && units.includes(unit) ? unit : units[0];
  const number = qty ?? 0;
  // A product may declare an otherwise divisible unit whole.
  const isWhole = others.some((other) => other.uomId === uomId && other.whole) || undefined;
  const code = uomId ? (uoms.get(uomId)?.code ?? uoms.get(uomId)?.name ?? '') : '';

  function add(): void {
    const found = products.find(({ id }) => id === productId);
    if (!found || !(number > 0)) return;
    onAdd({
      productId: found.id,
      name: found.name,
      ...(uomId ? { uomId } : {}),
      unit: uomId ? (uoms.get(uomId)?.name ?? '') : '',
      qty: number,
    });
    setProductId(null);
    setUnit(null);
    setQty(1);
    search.current?.focus();
  }

  return (
    <form
      className={classes.add}
      onSubmit={(event) => {
        event.preventDefault();
        add();
      }}
    >
      <Select
        ref={search}
        className={classes.product}
        label="Add an item"
        placeholder="Find a product"
        data={products.map(({ id, name }) => ({ value: id, label: name }))}
        limit={40}
        searchable
        openOnFocus={false}
        value={productId}
        onChange={setProductId}
        nothingFoundMessage="No such product"
      />
      {units.length > 0 && (
        <Select
          className={classes.unit}
          label="Unit"
          data={units.map((id) => ({ value: id, label: uoms.get(id)?.name ?? '' }))}
          value={uomId ?? null}
          onChange={setUnit}
          allowDeselect={false}
        />
      )}
      <NumericInput
        reads={kindOfUnit(code, isWhole)}
        unit={code}
        className={classes.qty}
        label="Quantity"
        min={0}
        value={qty}
        onChange={setQty}
      />
      <Button
        type="submit"
        variant="default"
        loading={busy}
        disabled={!productId || !(number > 0)}
        leftSection={<IconPlus size={16} aria-hidden />}
      >
        Add
      </Button>
    </form>
  );
}
