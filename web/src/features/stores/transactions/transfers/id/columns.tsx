import type { ComesWhole } from '#/api/names';
import type { ShipmentLine } from '#/documents/deliveries';
import { overrideColumns } from '#/documents/overrides';
import { removeColumn } from '#/documents/RemoveLine';
import { figure, lotColumns, onItsWayColumn } from '#/documents/shipmentColumns';
import type { Transfer } from '#/documents/transfers';
import type { GridColumn } from '#/grid/types';
import { qty } from '#/ui/format';

/** A transfer's columns: editable in a draft, then the outcome. */
export function columnsOf(
  transfer: Transfer,
  draft: boolean,
  whole: ComesWhole,
  onRemove: (id: string) => void,
): GridColumn<ShipmentLine>[] {
  const left = !['draft', 'cancelled'].includes(transfer.status);
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
    ...lotColumns(draft),
    ...overrideColumns<ShipmentLine>(transfer.overrides),
  ];
  if (left) {
    columns.push(figure('accepted', 'Taken in'), figure('returned', 'Returned'));
    columns.push(figure('writtenOff', 'Written off'), onItsWayColumn('onItsWay'));
  }
  if (draft && transfer.lines.length > 1) {
    columns.push(removeColumn(onRemove));
  }
  return columns;
}
