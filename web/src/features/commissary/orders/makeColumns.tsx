import type { Column } from '#/table/types';
import { qty } from '#/ui/format';
import type { Ingredient, NotMade } from '../kitchenOrders';
import { Short } from './columns';
import { seen } from './figures';

/** The ingredients of all batches, against stock. */
export const INGREDIENTS: readonly Column<Ingredient>[] = [
  { id: 'name', label: 'Ingredient', primary: true, value: ({ name }) => name },
  {
    id: 'needed',
    label: 'Needed',
    width: 120,
    value: ({ needed }) => seen(needed),
    number: qty,
    phone: 'sub',
  },
  {
    id: 'onHand',
    label: 'On hand',
    width: 120,
    value: ({ onHand }) => seen(onHand),
    number: qty,
    phone: 'sub',
  },
  {
    id: 'missing',
    label: 'Missing',
    width: 120,
    value: ({ missing }) => seen(missing),
    cell: ({ missing }) => <Short value={seen(missing)} />,
    number: qty,
    phone: 'end',
    unit: ({ uomCode }) => uomCode ?? '',
  },
  { id: 'unit', label: 'Unit', width: 100, value: ({ uomCode }) => uomCode ?? '–', phone: 'none' },
  {
    id: 'buy',
    label: 'Buy',
    width: 220,
    value: ({ toBuy }) => (toBuy ? `${qty(seen(toBuy.qty))} ${toBuy.uomCode} ${toBuy.name}` : null),
    phone: 'sub',
  },
  {
    id: 'for',
    label: 'Goes into',
    width: 220,
    value: ({ goesInto }) => goesInto.join(', '),
    muted: true,
    phone: 'sub',
  },
];

/** Shortages that no recipe makes. */
export const NOT_MADE: readonly Column<NotMade>[] = [
  { id: 'name', label: 'Product', primary: true, value: ({ name }) => name },
  { id: 'sku', label: 'SKU', width: 140, value: ({ sku }) => sku, muted: true, phone: 'sub' },
  {
    id: 'net',
    label: 'Missing',
    width: 120,
    value: ({ net }) => seen(net),
    cell: ({ net }) => <Short value={seen(net)} />,
    number: qty,
    phone: 'end',
    unit: ({ uomCode }) => uomCode,
  },
  { id: 'unit', label: 'Unit', width: 100, value: ({ uomCode }) => uomCode, phone: 'none' },
  {
    id: 'buy',
    label: 'Buy',
    width: 160,
    value: ({ toBuy }) => (toBuy ? `${qty(seen(toBuy.qty))} ${toBuy.uomCode}` : null),
    phone: 'sub',
  },
];
