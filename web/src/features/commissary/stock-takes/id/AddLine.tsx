import { Select, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { request } from '#/api/client';
import { useNameOf, useNames } from '#/api/names';
import { useCan } from '#/api/session';
import classes from '#/documents/Document.module.css';
import { DateField } from '#/ui/DateField';
import { Dialog } from '#/ui/Dialog';
import { NumericInput } from '#/ui/NumericInput';
import { kindOfUnit } from '#/ui/numberInput';
import type { SheetRow } from './sheet';

export interface AddedLine {
  productId: string;
  name: string;
  lot?: string;
  expiry?: string;
  uomId: string;
  uomCode: string;
  /** Null where lines are only planned. */
  counted: number | null;
  area?: string;
}

interface Props {
  rows: readonly SheetRow[];
  /** Whether it is counted at once; otherwise it is only planned. */
  counting: boolean;
  onAdd(line: AddedLine): void;
  onClose(): void;
}

/** Adds another lot or another product, or counts a line in another of its product's units. */
export function AddLine({ rows, counting, onAdd, onClose }: Props) {
  const { data: names = [] } = useNames('products');
  const uoms = useNameOf('uoms');
  const maySeeProducts = useCan('products/products');
  const [productId, setProductId] = useState<string | null>(null);
  const [unit, setUnit] = useState<string | null>(null);
  const [lot, setLot] = useState('');
  const [expiry, setExpiry] = useState('');
  const [counted, setCounted] = useState<number | null>(null);
  const { data: product } = useQuery({
    queryKey: ['lists', 'products', 'units', productId],
    queryFn: ({ signal }) =>
      request('GET', '/api/products/{id}', { path: { id: productId ?? '' }, signal }),
    enabled: maySeeProducts && productId !== null,
  });
  const onSheet = rows.find((row) => row.productId === productId);
  // Products on the sheet can be chosen without a network too.
  const options = new Map(rows.map((row) => [row.productId, row.name]));
  for (const { id, name } of names) options.set(id, name);
  const others = product?.otherUoms ?? [];
  const units = [
    ...new Set([
      onSheet?.uomId,
      product?.defaultSellingUom,
      product?.baseUom,
      ...others.map((other) => other.uomId),
    ]),
  ].filter((id): id is string => Boolean(id));
  const uomId = unit && units.includes(unit) ? unit : units[0];
  const codeOf = (id: string) =>
    id === onSheet?.uomId ? onSheet.uomCode : (uoms.get(id)?.code ?? uoms.get(id)?.name ?? '');
  const uomCode = uomId ? codeOf(uomId) : '';
  const isWhole = others.some((other) => other.uomId === uomId && other.whole) || undefined;
  const name = productId ? options.get(productId) : undefined;
  const missing = counting && counted === null;

  function add(): void {
    if (!productId || !uomId || !name || missing) return;
    onAdd({
      productId,
      name,
      uomId,
      uomCode,
      counted,
      ...(lot.trim() ? { lot: lot.trim() } : {}),
      ...(expiry ? { expiry } : {}),
      ...(onSheet?.area ? { area: onSheet.area } : {}),
    });
    onClose();
  }

  return (
    <Dialog
      opened
      title={counting ? 'Another lot, product or unit' : 'Another lot or product'}
      keep="Cancel"
      confirm="Add to sheet"
      disabled={!productId || !uomId || missing}
      onConfirm={add}
      onClose={onClose}
    >
      <div className={classes.fields}>
        <Select
          w="100%"
          label="Product"
          data={[...options].map(([value, label]) => ({ value, label }))}
          limit={60}
          value={productId}
          onChange={setProductId}
          searchable
          openOnFocus={false}
          data-autofocus
          nothingFoundMessage="No such product"
        />
        <TextInput
          w={150}
          label="Lot"
          placeholder="Without lot"
          maxLength={60}
          value={lot}
          onChange={(event) => setLot(event.currentTarget.value)}
        />
        <DateField w={150} label="Expires" value={expiry} onChange={setExpiry} />
        {counting && (
          <NumericInput
            w={150}
            label="Counted"
            reads={kindOfUnit(uomCode, isWhole)}
            unit={uomCode}
            min={0}
            value={counted}
            onChange={setCounted}
          />
        )}
        <Select
          w={150}
          label="Unit"
          data={units.map((id) => ({ value: id, label: codeOf(id) }))}
          value={uomId ?? null}
          onChange={setUnit}
          allowDeselect={false}
        />
      </div>
    </Dialog>
  );
}
