import { memo, useDeferredValue, useSyncExternalStore } from 'react';
import { Row } from './Row';
import classes from './Rows.module.css';
import type { Item } from './types';
import { useAreas, useOpenCount } from './useCount';

interface Props {
  blind: boolean;
  /** The ids to show; null for all. */
  found: ReadonlySet<string> | null;
  onOpen(id: string): void;
}

/** The items to count by area, in counting order. */
export const Rows = memo(function Rows({ blind, found, onOpen }: Props) {
  const areas = useAreas();
  // The first screenful can be tapped before the rest is rendered.
  const most = useDeferredValue(Number.POSITIVE_INFINITY, FIRST_ROWS);
  let room = most;
  return (
    <>
      {!blind && (
        <div className={classes.head} aria-hidden>
          <span />
          <span>Item</span>
          <span>Last count</span>
          <span>Expected</span>
          <span>Counted</span>
          <span>Variance</span>
          <span />
        </div>
      )}
      {areas.map(({ name, items }) => {
        const all = found ? items.filter(({ id }) => found.has(id)) : items;
        const shown = all.slice(0, room);
        room -= shown.length;
        return (
          shown.length > 0 && (
            <section key={name} className={classes.area} aria-label={name}>
              <h2 className={classes.areaName}>
                {name} <AreaProgress items={items} />
              </h2>
              <div role="list" className={classes.rows}>
                {partsOf(shown).map((part) => (
                  <div key={part[0]?.id} className={classes.part}>
                    {part.map((item) => (
                      <Row key={item.id} item={item} blind={blind} onOpen={onOpen} />
                    ))}
                  </div>
                ))}
              </div>
            </section>
          )
        );
      })}
    </>
  );
});

/** A little more than one screenful. */
const FIRST_ROWS = 24;

/** Rows per block of `content-visibility`: one block for each row would cost more than it saves. */
const PART_ROWS = 12;

function partsOf(items: readonly Item[]): (readonly Item[])[] {
  const parts: (readonly Item[])[] = [];
  for (let at = 0; at < items.length; at += PART_ROWS) parts.push(items.slice(at, at + PART_ROWS));
  return parts;
}

function AreaProgress({ items }: { items: readonly Item[] }) {
  const book = useOpenCount();
  const counted = useSyncExternalStore(
    book.subscribe,
    () => items.filter(({ id }) => book.row(id).counted).length,
  );
  return (
    <span className={classes.areaCount}>
      {counted} of {items.length}
    </span>
  );
}
