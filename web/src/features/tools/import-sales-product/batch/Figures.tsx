import { count, day, MISSING, plural } from '#/ui/format';
import { Tile, Tiles } from '#/ui/Page';
import type { Summary } from '../types';

/** The file's totals. */
export function Figures({ summary }: { summary: Summary }) {
  const unknown = summary.terminals.filter(({ known }) => !known);
  const period =
    summary.firstDay === summary.lastDay
      ? day(summary.firstDay)
      : `${day(summary.firstDay)} – ${day(summary.lastDay)}`;
  return (
    <Tiles>
      <Tile
        name="Store days"
        value={count(summary.storeDays)}
        note={`${plural(summary.stores, 'store')}, ${plural(summary.days, 'day')}`}
      />
      <Tile
        name="Receipts"
        value={summary.receipts > 0 ? count(summary.receipts) : MISSING}
        note={period}
      />
      <Tile
        name="Items"
        value={count(summary.items)}
        note={summary.unmappedItems ? `${count(summary.unmappedItems)} not mapped` : 'all mapped'}
      />
      {summary.terminals.length > 0 && (
        <Tile
          name="Terminals"
          value={count(summary.terminals.length)}
          note={unknown.length > 0 ? `${count(unknown.length)} not known` : 'all known'}
        />
      )}
    </Tiles>
  );
}
