import type { ComesWhole } from '#/api/names';
import type { GridColumn } from '#/grid/types';
import { day, qty, signedMoney, signedQty } from '#/ui/format';
import type { RowDifference, SheetRow } from './sheet';

interface Options {
  /** Whether numbers can be typed. */
  counting: boolean;
  /** Ledger and differences, once they may be seen. */
  differences: ReadonlyMap<string, RowDifference> | null;
  worth: number | null;
  whole: ComesWhole;
}

export function columnsOf(options: Options): GridColumn<SheetRow>[] {
  const { counting, differences, worth, whole } = options;
  const columns: GridColumn<SheetRow>[] = [
    { id: 'name', label: 'Item', primary: true, cell: ({ name }) => name },
    { id: 'sku', label: 'SKU', width: 90, phone: 'none', cell: ({ sku }) => sku },
    { id: 'lot', label: 'Lot', width: 120, phone: 'sub', cell: ({ lot }) => lot },
    {
      id: 'expiry',
      label: 'Expires',
      width: 110,
      phone: 'sub',
      cell: ({ expiry }) => (expiry ? day(expiry) : ''),
    },
    {
      id: 'counted',
      label: 'Counted',
      width: 120,
      right: true,
      ...(!counting && { phone: 'sub' as const }),
      cell: ({ counted }) => qty(counted),
      ...(counting && {
        edit: {
          kind: 'number' as const,
          unit: ({ uomCode }: SheetRow) => uomCode,
          whole: ({ uomId }: SheetRow) => whole(uomId),
          value: ({ counted }: SheetRow) => counted,
          check: (value: number | null) =>
            value !== null && value < 0 ? 'Enter zero or more.' : null,
        },
      }),
    },
    { id: 'unit', label: 'Unit', width: 70, phone: 'sub', cell: ({ uomCode }) => uomCode },
  ];
  if (differences) {
    const of = (row: SheetRow) => differences.get(row.key);
    columns.push(
      {
        id: 'book',
        label: 'Ledger',
        width: 100,
        right: true,
        phone: 'sub',
        cell: (row) => qty(of(row)?.book ?? null),
      },
      {
        id: 'difference',
        label: 'Difference',
        width: 100,
        right: true,
        phone: 'sub',
        cell: (row) => signedQty(of(row)?.difference ?? null),
      },
      {
        id: 'worth',
        label: 'Worth',
        width: 110,
        right: true,
        phone: 'sub',
        cell: (row) => signedMoney(of(row)?.worth ?? null),
        foot: () => signedMoney(worth),
      },
    );
  }
  columns.push({
    id: 'note',
    label: 'Note',
    width: 170,
    phone: 'none',
    cell: ({ note }) => note,
    ...(counting && {
      edit: { kind: 'text' as const, value: ({ note }: SheetRow) => note },
    }),
  });
  return columns;
}
