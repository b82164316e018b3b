import type { ComesWhole } from '#/api/names';
import { type Delivery, hasLeft, type ShipmentLine } from '#/documents/deliveries';
import { overrideColumns } from '#/documents/overrides';
import { figure, lotColumns, onItsWayColumn } from '#/documents/shipmentColumns';
import type { GridColumn } from '#/grid/types';
import { qty } from '#/ui/format';

/** The columns of a delivery's lines: editable while picking, then the outcome. */
export function columnsOf(
  delivery: Delivery,
  picking: boolean,
  whole: ComesWhole,
): GridColumn<ShipmentLine>[] {
  const left = hasLeft(delivery);
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
    ...lotColumns(picking),
    ...overrideColumns<ShipmentLine>(delivery.overrides),
  ];
  if (left) {
    columns.push(
      figure('dispatched', 'Dispatched'),
      figure('accepted', 'Accepted'),
      figure('returned', 'Returned'),
      figure('writtenOff', 'Written off'),
      onItsWayColumn('inTransit'),
    );
  }
  return columns;
}
