import type { ComesWhole } from '#/api/names';
import { removeColumn } from '#/documents/RemoveLine';
import { WASTE_REASONS, type Waste, type WasteLine, wasteReasonOf } from '#/documents/waste';
import type { GridColumn } from '#/grid/types';
import { money, qty } from '#/ui/format';

/** The columns of a waste report. */
export function columnsOf(
  waste: Waste,
  draft: boolean,
  whole: ComesWhole,
  onRemove: (id: string) => void,
): GridColumn<WasteLine>[] {
  const text = (id: 'note' | 'lot', label: string, width: number): GridColumn<WasteLine> => ({
    id,
    label,
    width,
    phone: 'sub',
    cell: (line) => line[id] ?? '',
    ...(draft && { edit: { kind: 'text' as const, value: (line: WasteLine) => line[id] ?? null } }),
  });
  const columns: GridColumn<WasteLine>[] = [
    { id: 'name', label: 'Item', primary: true, cell: ({ name }) => name },
    { id: 'sku', label: 'SKU', width: 100, phone: 'none', cell: ({ sku }) => sku ?? '' },
    {
      id: 'qty',
      label: 'Quantity',
      width: 104,
      right: true,
      ...(!draft && { phone: 'sub' as const }),
      cell: (line) => qty(line.qty),
      ...(draft && {
        edit: {
          kind: 'number' as const,
          unit: ({ uomCode }: WasteLine) => uomCode,
          whole: ({ uomId }: WasteLine) => whole(uomId),
          value: (line: WasteLine) => line.qty,
          check: (value: number | null) =>
            value === null || value <= 0 ? 'Enter a quantity above zero.' : null,
        },
      }),
    },
    { id: 'unit', label: 'Unit', width: 80, phone: 'sub', cell: ({ uomCode }) => uomCode },
    {
      id: 'reason',
      label: 'Reason',
      width: 176,
      phone: 'sub',
      cell: ({ reason }) => wasteReasonOf(reason),
      ...(draft && {
        edit: {
          kind: 'text' as const,
          value: ({ reason }: WasteLine) => reason,
          options: () => WASTE_REASONS,
        },
      }),
    },
    text('note', 'What happened', 200),
    text('lot', 'Lot', 120),
    {
      id: 'amount',
      label: 'Worth',
      width: 110,
      right: true,
      phone: 'sub',
      cell: (line) => money(line.unitPrice == null ? null : line.qty * line.unitPrice),
      foot: () => money(waste.amount),
    },
  ];
  if (draft && waste.lines.length > 1) {
    columns.push(removeColumn(onRemove));
  }
  return columns;
}
