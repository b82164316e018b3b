import type { LotItem, LotPlace } from '#/stock/api';
import { Expiry } from '#/stock/Expiry';
import type { Column } from '#/table/types';
import { DOT, moment, qty } from '#/ui/format';
import { StatusPill } from '#/ui/StatusPill';
import classes from './Lots.module.css';

/** A longer lot number takes two lines: it is never cut. */
const ONE_LINE = 24;

/** Names shown before the rest is only counted. */
const NAMED = 3;

export const placeName = ({ placeKind, placeName: name }: LotPlace) =>
  placeKind === 'inTransit' ? `On its way: ${name}` : name;

/** `Main kitchen 40 · Ayala 12 · 3 more` */
function placesText(places: readonly LotPlace[]): string {
  const most = [...places].filter(({ qty: lies }) => lies !== 0).sort((a, b) => b.qty - a.qty);
  const told = most.slice(0, NAMED).map((place) => `${placeName(place)} ${qty(place.qty)}`);
  if (most.length > NAMED) told.push(`${most.length - NAMED} more`);
  return told.join(DOT);
}

/** With a chosen place, its quantity is shown next to the total. */
export function columnsOf(place: string): Column<LotItem>[] {
  const here = ({ places }: LotItem) =>
    places
      .filter((one) => `${one.placeKind}:${one.placeId}` === place)
      .reduce((all, one) => all + one.qty, 0);
  return [
    {
      id: 'lot',
      label: 'Lot',
      width: 220,
      primary: true,
      sortable: false,
      value: ({ lot }) => lot,
      cell: ({ lot }) => (
        <span className={lot.length > ONE_LINE ? classes.longLot : undefined}>{lot}</span>
      ),
    },
    {
      id: 'recalled',
      label: 'Status',
      width: 104,
      sortable: false,
      phone: 'sub',
      value: ({ recalledAt }) => (recalledAt ? 'Recalled' : ''),
      cell: ({ recalledAt, recallReason }) =>
        recalledAt ? (
          <span title={recallReason ?? undefined}>
            <StatusPill tone="danger">Recalled</StatusPill>
          </span>
        ) : null,
    },
    {
      id: 'product',
      label: 'Product',
      width: 260,
      sortable: false,
      phone: 'sub',
      value: ({ name }) => name,
    },
    { id: 'sku', label: 'SKU', width: 110, sortable: false, hidden: true, value: ({ sku }) => sku },
    {
      id: 'expiry',
      label: 'Expiry',
      width: 190,
      sortable: false,
      phone: 'sub',
      value: ({ expiry }) => expiry,
      cell: ({ expiry, daysLeft }) => <Expiry expiry={expiry} daysLeft={daysLeft} />,
    },
    ...(place
      ? [
          {
            id: 'here',
            label: 'Here',
            width: 96,
            sortable: false,
            value: here,
            number: qty,
          } satisfies Column<LotItem>,
        ]
      : []),
    {
      id: 'qty',
      label: place ? 'In all' : 'In stock',
      phone: 'end',
      unit: ({ uomCode }) => uomCode,
      width: 96,
      sortable: false,
      value: (row) => row.qty,
      number: qty,
    },
    {
      id: 'unit',
      label: 'Unit',
      width: 70,
      sortable: false,
      phone: 'none',
      value: ({ uomCode }) => uomCode,
    },
    {
      id: 'places',
      label: 'Where',
      sortable: false,
      value: ({ places }) => placesText(places),
      cell: ({ places }) => <span className={classes.places}>{placesText(places)}</span>,
    },
    {
      id: 'firstSeen',
      label: 'First seen',
      width: 150,
      sortable: false,
      muted: true,
      hidden: true,
      phone: 'none',
      value: ({ firstSeen }) => firstSeen,
      cell: ({ firstSeen }) => moment(firstSeen),
    },
  ];
}
