import { useNavigate } from 'react-router';
import { to } from '#/paths';
import { DataTable } from '#/table/DataTable';
import { clientSource } from '#/table/sources';
import type { Column } from '#/table/types';
import type { TableState } from '#/table/useTableState';
import { day, qty } from '#/ui/format';
import { type ShortLine, useShortLines } from '../kitchenOrders';
import { Short } from './columns';
import { seen } from './figures';

/** What kitchens leave short of approved orders: the list behind Home's «Short at the kitchen». */
export function ShortTab({ state }: { state: TableState }) {
  const navigate = useNavigate();
  const query = useShortLines();
  return (
    <DataTable<ShortLine>
      bare
      id="kitchen-short"
      title="Short"
      one="order line"
      many="order lines"
      source={clientSource(query)}
      columns={SHORT_COLUMNS}
      rowId={({ id }) => id}
      rowLabel={({ name, storeName }) => `${name} for ${storeName}`}
      state={state}
      placeholder="Find a product, store or order"
      hrefOf={hrefOf}
      onOpen={(line) => void navigate(hrefOf(line))}
      empty={{
        title: 'Nothing is short',
        text: 'What there is and what is being made covers every approved order.',
      }}
    />
  );
}

/** The product among the kitchen's orders of that day. */
const hrefOf = ({ commissaryId, neededDate, productId }: ShortLine) =>
  to('commissaryOrders', null, { commissaryId, neededDate, product: productId });

/** To send = covered + short, in each line's unit. */
export const SHORT_COLUMNS: readonly Column<ShortLine>[] = [
  { id: 'name', label: 'Product', primary: true, value: ({ name }) => name },
  { id: 'store', label: 'Store', width: 150, value: ({ storeName }) => storeName, phone: 'sub' },
  {
    id: 'neededDate',
    label: 'Needed',
    width: 130,
    value: ({ neededDate }) => neededDate,
    cell: ({ neededDate, late }) => (late ? <b>{day(neededDate)}</b> : day(neededDate)),
    phone: 'sub',
  },
  { id: 'order', label: 'Order', width: 150, value: ({ orderNo }) => orderNo },
  { id: 'kitchen', label: 'Commissary', width: 150, value: ({ commissaryName }) => commissaryName },
  {
    id: 'approved',
    label: 'Approved',
    width: 96,
    value: ({ approved }) => seen(approved),
    number: qty,
  },
  { id: 'toSend', label: 'To send', width: 96, value: ({ toSend }) => seen(toSend), number: qty },
  {
    id: 'covered',
    label: 'Covered',
    width: 96,
    value: ({ covered }) => seen(covered),
    number: qty,
  },
  {
    id: 'short',
    label: 'Short',
    width: 96,
    value: ({ short }) => seen(short),
    number: qty,
    cell: ({ short }) => <Short value={seen(short)} />,
    phone: 'end',
    unit: ({ uomCode }) => uomCode,
  },
  {
    id: 'unit',
    label: 'Unit',
    width: 72,
    value: ({ uomCode }) => uomCode,
    muted: true,
    phone: 'none',
  },
];
