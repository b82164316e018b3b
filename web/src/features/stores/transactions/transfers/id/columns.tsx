import type { ComesWhole } from '#/api/names';
import type { ShipmentLine } from '#/documents/deliveries';
import { RemoveLine } from '#/documents/RemoveLine';
import type { Transfer } from '#/documents/transfers';
import type { GridColumn } from '#/grid/types';
import { day, qty } from '#/ui/format';
import { sum } from '#/ui/sums';

/** The quantity of a line still in transit. */
const onItsWay = (line: ShipmentLine) =>
  sum([line.dispatched, line.overage, -line.accepted, -line.returned, -line.writtenOff]);

/** A transfer's columns: editable in a draft, then the outcome. */
export function columnsOf(
  transfer: Transfer,
  draft: boolean,
  whole: ComesWhole,
  onRemove: (id: string) => void,
): GridColumn<ShipmentLine>[] {
  const left = !['draft', 'cancelled'].includes(transfer.status);
  const figure = (
    id: 'accepted' | 'returned' | 'writtenOff',
    label: string,
  ): GridColumn<ShipmentLine> => ({
    id,
    label,
    width: 100,
    right: true,
    phone: 'sub',
    cell: (line) => qty(line[id]),
  });
  const columns: GridColumn<ShipmentLine>[] = [
    { id: 'name', label: 'Item', primary: true, cell: ({ name }) => name },
    { id: 'sku', label: 'SKU', width: 100, phone: 'none', cell: ({ sku }) => sku ?? '' },
    { id: 'unit', label: 'Unit', width: 80, phone: 'sub', cell: ({ uomCode }) => uomCode },
    {
      id: 'qty',
      label: left ? 'Sent' : 'To send',
      width: 104,
      right: true,
      ...(!draft && { phone: 'sub' as const }),
      cell: (line) => qty(left ? line.dispatched : line.ordered),
      ...(draft && {
        edit: {
          kind: 'number' as const,
          unit: ({ uomCode }: ShipmentLine) => uomCode,
          whole: ({ uomId }: ShipmentLine) => whole(uomId),
          value: ({ ordered }: ShipmentLine) => ordered,
          check: (value: number | null) =>
            value === null || value <= 0 ? 'Enter a quantity above zero.' : null,
        },
      }),
    },
    {
      id: 'lot',
      label: 'Lot',
      width: 120,
      phone: 'sub',
      cell: ({ lot }) => lot ?? '',
      ...(draft && {
        edit: { kind: 'text' as const, value: ({ lot }: ShipmentLine) => lot ?? null },
      }),
    },
    {
      id: 'expiry',
      label: 'Expiry',
      width: 136,
      phone: 'sub',
      cell: ({ expiry }) => (expiry ? day(expiry) : ''),
      ...(draft && {
        edit: { kind: 'date' as const, value: ({ expiry }: ShipmentLine) => expiry ?? null },
      }),
    },
  ];
  if (left) {
    columns.push(figure('accepted', 'Taken in'), figure('returned', 'Returned'));
    columns.push(figure('writtenOff', 'Written off'), {
      id: 'onItsWay',
      label: 'On its way',
      width: 100,
      right: true,
      phone: 'sub',
      cell: (line) => {
        const open = onItsWay(line);
        return open === 0 ? '–' : <b>{qty(open)}</b>;
      },
    });
  }
  if (draft && transfer.lines.length > 1) {
    columns.push({
      id: 'remove',
      label: '',
      width: 52,
      cell: ({ id, name }) => <RemoveLine name={name} onRemove={() => onRemove(id)} />,
    });
  }
  return columns;
}
