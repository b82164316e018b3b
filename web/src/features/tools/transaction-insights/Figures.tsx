import { change, count, MISSING, money } from '#/ui/format';
import { Tile, Tiles } from '#/ui/Page';
import type { TicketFigures } from './api';
import { changeOf } from './labels';

interface Props {
  now: TicketFigures;
  before: TicketFigures | null;
}

const ratio = (value: number | null | undefined) => (value == null ? MISSING : value.toFixed(2));

/** The range's figures, each with its previous value. */
export function Figures({ now, before }: Props) {
  const note = (of: (figures: TicketFigures) => number | null | undefined, shown: string) => {
    if (!before) return undefined;
    const change_ = changeOf(of(now), of(before));
    return change_ === null ? `before: ${shown}` : `${change(change_)} · before: ${shown}`;
  };
  const tiles = [
    {
      name: 'Tickets',
      value: count(now.tickets),
      note: note((one) => one.tickets, count(before?.tickets)),
    },
    { name: 'Net sales', value: money(now.net), note: note((one) => one.net, money(before?.net)) },
    {
      name: 'Average ticket',
      value: money(now.average),
      note: note((one) => one.average, money(before?.average)),
    },
    {
      name: 'Items a ticket',
      value: ratio(now.itemsATicket),
      note: note((one) => one.itemsATicket, ratio(before?.itemsATicket)),
    },
    {
      name: 'Tickets an open hour',
      value: ratio(now.anHour),
      note: note((one) => one.anHour, ratio(before?.anHour)),
    },
    {
      name: 'Refunds',
      value: count(now.refunds),
      note: before
        ? note((one) => one.refunds, count(before.refunds))
        : `${money(now.refunded)} given back`,
    },
  ];
  return (
    <Tiles>
      {tiles.map((tile) => (
        <Tile key={tile.name} {...tile} />
      ))}
    </Tiles>
  );
}
