import { memo } from 'react';
import { Row } from './Row';
import classes from './Rows.module.css';
import type { Item } from './types';
import { useAreas, useOpenBook, useProgress } from './useCount';

interface Props {
  active: string | null;
  blind: boolean;
  /** What is being looked for; everything when null. */
  found: ReadonlySet<string> | null;
  onOpen(id: string): void;
}

/** Everything there is to count, in the order of the way through the store. */
export const Rows = memo(function Rows({ active, blind, found, onOpen }: Props) {
  const areas = useAreas();
  return (
    <>
      {!blind && (
        <div className={classes.head} aria-hidden>
          <span />
          <span>Item</span>
          <span>Before</span>
          <span>Expected</span>
          <span>Counted</span>
          <span>Variance</span>
          <span />
        </div>
      )}
      {areas.map(({ name, items }) => {
        const shown = found ? items.filter(({ id }) => found.has(id)) : items;
        return (
          shown.length > 0 && (
            <section key={name} className={classes.area} aria-label={name}>
              <h2 className={classes.areaName}>
                {name} <AreaProgress items={items} />
              </h2>
              <ul className={classes.rows}>
                {shown.map((item) => (
                  <Row
                    key={item.id}
                    item={item}
                    active={item.id === active}
                    blind={blind}
                    onOpen={onOpen}
                  />
                ))}
              </ul>
            </section>
          )
        );
      })}
    </>
  );
});

function AreaProgress({ items }: { items: readonly Item[] }) {
  const book = useOpenBook();
  // Counting is what moves it.
  useProgress();
  const counted = items.filter(({ id }) => book.row(id).counted).length;
  return (
    <span className={classes.areaCount}>
      {counted} of {items.length}
    </span>
  );
}
