import type { ComesWhole } from '#/api/names';
import { REASONS, RESOLUTIONS, type ReceiptLine, wordsOf } from '#/documents/receipts';
import type { GridModel } from '#/grid/model';
import type { GridColumn } from '#/grid/types';
import { day, money, qty } from '#/ui/format';
import { sum } from '#/ui/sums';

/** A line with what the supplier charges for one of its unit. */
export type Priced = ReceiptLine & { unitPrice?: number | null };

/** The undecided quantity of a posted line. */
const pendingOf = (line: ReceiptLine) =>
  !line.resolution || line.resolution === 'pending'
    ? Math.max(0, sum([line.expected, -line.received])) + line.rejected
    : 0;

/** A receipt's columns: differences are editable in a draft, open ones can be settled. */
export function columnsOf(
  model: GridModel,
  draft: boolean,
  settles: boolean,
  supplied: boolean,
  whole: ComesWhole,
): GridColumn<ReceiptLine>[] {
  const differs = (line: ReceiptLine) =>
    (model.number(line.id, 'received', line.received) ?? 0) !== line.expected ||
    (model.number(line.id, 'rejected', line.rejected) ?? 0) > 0;
  const figure = (id: 'received' | 'rejected', label: string): GridColumn<ReceiptLine> => ({
    id,
    label,
    width: 104,
    right: true,
    ...(!draft && { phone: 'sub' as const }),
    cell: (line) => qty(line[id]),
    ...(draft && {
      edit: {
        kind: 'number' as const,
        unit: ({ uomCode }: ReceiptLine) => uomCode,
        whole: ({ uomId }: ReceiptLine) => whole(uomId),
        value: (line: ReceiptLine) => (id === 'rejected' && line.rejected === 0 ? null : line[id]),
        check: (value: number | null, line: ReceiptLine) => {
          if (value !== null && value < 0) return 'Enter zero or more.';
          const came = model.number(line.id, 'received', line.received) ?? 0;
          return id === 'rejected' && (value ?? 0) > came
            ? 'You cannot refuse more than what came.'
            : null;
        },
      },
    }),
  });
  return [
    { id: 'name', label: 'Item', primary: true, cell: ({ name }) => name },
    { id: 'sku', label: 'SKU', width: 96, phone: 'none', cell: ({ sku }) => sku ?? '' },
    { id: 'unit', label: 'Unit', width: 66, phone: 'sub', cell: ({ uomCode }) => uomCode },
    {
      id: 'expected',
      label: 'Expected',
      width: 96,
      right: true,
      phone: 'sub',
      cell: ({ expected }) => qty(expected),
    },
    figure('received', 'Received'),
    figure('rejected', 'Refused'),
    {
      id: 'reason',
      label: 'Reason',
      width: 132,
      phone: 'sub',
      cell: ({ reason }) => wordsOf(REASONS, reason),
      ...(draft && {
        edit: {
          kind: 'text' as const,
          can: differs,
          value: ({ reason }: ReceiptLine) => reason ?? null,
          placeholder: () => 'Why?',
          options: () => REASONS,
        },
      }),
    },
    {
      id: 'resolution',
      label: 'What becomes of it',
      width: 168,
      phone: 'sub',
      cell: (line) =>
        pendingOf(line) > 0
          ? `${qty(pendingOf(line))} open`
          : wordsOf(RESOLUTIONS, line.resolution),
      ...((draft || settles) && {
        edit: {
          kind: 'text' as const,
          can: (line: ReceiptLine) => (draft ? differs(line) : pendingOf(line) > 0),
          value: ({ resolution }: ReceiptLine) => resolution ?? null,
          placeholder: () => 'Decide later',
          options: () => RESOLUTIONS.filter(({ value }) => value !== 'pending'),
        },
      }),
    },
    {
      id: 'lot',
      label: 'Lot',
      width: 110,
      ...(supplied && draft ? {} : { phone: 'none' as const }),
      cell: ({ lot }) => lot ?? '',
      ...(draft && {
        edit: { kind: 'text' as const, value: ({ lot }: ReceiptLine) => lot ?? null },
      }),
    },
    {
      id: 'expiry',
      label: 'Expiry',
      width: 134,
      ...(supplied && draft ? {} : { phone: 'none' as const }),
      cell: ({ expiry }) => (expiry ? day(expiry) : ''),
      ...(draft && {
        edit: { kind: 'date' as const, value: ({ expiry }: ReceiptLine) => expiry ?? null },
      }),
    },
    ...(supplied
      ? [
          {
            id: 'unitPrice',
            label: 'Unit price',
            width: 104,
            right: true,
            phone: 'sub' as const,
            cell: ({ unitPrice }: Priced) => money(unitPrice ?? null),
            ...(draft && {
              edit: {
                kind: 'number' as const,
                reads: () => 'money' as const,
                value: ({ unitPrice }: Priced) => unitPrice ?? null,
                check: (value: number | null) =>
                  value !== null && value < 0 ? 'Enter zero or more.' : null,
              },
            }),
          },
        ]
      : []),
  ];
}
