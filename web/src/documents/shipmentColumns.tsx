// Columns that the lines of deliveries and transfers share.
import type { GridColumn } from '#/grid/types';
import { day, qty } from '#/ui/format';
import { sum } from '#/ui/sums';
import type { ShipmentLine } from './deliveries';

type Figure = 'ordered' | 'dispatched' | 'accepted' | 'returned' | 'writtenOff';

/** A quantity column. */
export const figure = (id: Figure, label: string): GridColumn<ShipmentLine> => ({
  id,
  label,
  width: 100,
  right: true,
  phone: 'sub',
  cell: (line) => qty(line[id]),
});

/** Lot and expiry, editable while the document is a draft or being picked. */
export const lotColumns = (typed: boolean): GridColumn<ShipmentLine>[] => [
  {
    id: 'lot',
    label: 'Lot',
    width: 120,
    phone: 'sub',
    cell: ({ lot }) => lot ?? '',
    ...(typed && {
      edit: { kind: 'text' as const, value: ({ lot }: ShipmentLine) => lot ?? null },
    }),
  },
  {
    id: 'expiry',
    label: 'Expiry',
    width: 136,
    phone: 'sub',
    cell: ({ expiry }) => (expiry ? day(expiry) : ''),
    ...(typed && {
      edit: { kind: 'date' as const, value: ({ expiry }: ShipmentLine) => expiry ?? null },
    }),
  },
];

const onItsWay = (line: ShipmentLine) =>
  sum([line.dispatched, line.overage, -line.accepted, -line.returned, -line.writtenOff]);

/** Quantity sent but not yet received, returned or written off. */
export const onItsWayColumn = (id: string): GridColumn<ShipmentLine> => ({
  id,
  label: 'On its way',
  width: 100,
  right: true,
  phone: 'sub',
  cell: (line) => {
    const open = onItsWay(line);
    return open === 0 ? '–' : <b>{qty(open)}</b>;
  },
});
