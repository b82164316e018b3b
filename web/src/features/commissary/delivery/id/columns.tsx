import type { ComesWhole } from '#/api/names';
import { type Delivery, hasLeft, type ShipmentLine } from '#/documents/deliveries';
import type { GridColumn } from '#/grid/types';
import { day, qty } from '#/ui/format';
import { sum } from '#/ui/sums';

/** The quantity of a line still in transit. */
const inTransit = (line: ShipmentLine) =>
  sum([line.dispatched, line.overage, -line.accepted, -line.returned, -line.writtenOff]);

/** The columns of a delivery's lines: editable while picking, then the outcome. */
export function columnsOf(
  delivery: Delivery,
  picking: boolean,
  whole: ComesWhole,
): GridColumn<ShipmentLine>[] {
  const left = hasLeft(delivery);
  const figure = (
    id: 'ordered' | 'dispatched' | 'accepted' | 'returned' | 'writtenOff',
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
    { id: 'unit', label: 'Unit', width: 70, phone: 'sub', cell: ({ uomCode }) => uomCode },
    figure('ordered', 'To send'),
    {
      id: 'picked',
      label: 'Picked',
      width: 104,
      right: true,
      ...(left && { phone: 'none' as const }),
      cell: ({ picked }) => qty(picked),
      ...(picking && {
        edit: {
          kind: 'number' as const,
          unit: ({ uomCode }: ShipmentLine) => uomCode,
          whole: ({ uomId }: ShipmentLine) => whole(uomId),
          value: ({ picked }: ShipmentLine) => picked ?? null,
          placeholder: ({ ordered }: ShipmentLine) => qty(ordered),
          check: (value: number | null) =>
            value !== null && value < 0 ? 'Enter zero or more.' : null,
        },
      }),
    },
    {
      id: 'lot',
      label: 'Lot',
      width: 120,
      phone: 'sub',
      cell: ({ lot }) => lot ?? '',
      ...(picking && {
        edit: { kind: 'text' as const, value: ({ lot }: ShipmentLine) => lot ?? null },
      }),
    },
    {
      id: 'expiry',
      label: 'Expiry',
      width: 136,
      phone: 'sub',
      cell: ({ expiry }) => (expiry ? day(expiry) : ''),
      ...(picking && {
        edit: { kind: 'date' as const, value: ({ expiry }: ShipmentLine) => expiry ?? null },
      }),
    },
  ];
  if (left) {
    columns.push(
      figure('dispatched', 'Dispatched'),
      figure('accepted', 'Accepted'),
      figure('returned', 'Returned'),
      figure('writtenOff', 'Written off'),
      {
        id: 'inTransit',
        label: 'On its way',
        width: 100,
        right: true,
        phone: 'sub',
        cell: (line) => {
          const open = inTransit(line);
          return open === 0 ? '–' : <b>{qty(open)}</b>;
        },
      },
    );
  }
  return columns;
}
