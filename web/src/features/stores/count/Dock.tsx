import { Button } from '@mantine/core';
import { IconPencil, IconPlayerPlay } from '@tabler/icons-react';
import { memo, type RefObject, useCallback, useEffect, useRef, useState } from 'react';
import type { SavedPlace } from '#/offline/writeQueue';
import { afterFrame } from '#/ui/afterFrame';
import { plural } from '#/ui/format';
import { kindOfUnit, numberOf } from '#/ui/numberInput';
import { done, failed, lastingError } from '#/ui/toast';
import classes from './Count.module.css';
import { useActiveItemId } from './cursor';
import { Entry } from './Entry';
import { firstUncounted, type ItemFilter, shownItems } from './itemOrder';
import { useItems, useOpenCount } from './useCount';

interface Props {
  /** Its element: the current row is scrolled to just above it. */
  dock: RefObject<HTMLDivElement | null>;
  blind: boolean;
  yesterday: string;
  /** Whether the user may count at all. */
  mayCount: boolean;
  /** Whether counting is impossible now: no right, locked, leased to another user or finished. */
  closed: boolean;
  /** The count is finished, but can be opened again. */
  finished: boolean;
  ready: boolean;
  found: ItemFilter;
  /** Set to a function that saves what is typed, for code that is about to show another item. */
  write: RefObject<(() => void) | null>;
  onMove(by: 1 | -1): void;
  onShow(id: string | null): void;
  onReopen(): void;
}

/** Holds the entry form: at the bottom of a phone's screen, beside the list at a desk. */
export const Dock = memo(function Dock(props: Props) {
  const {
    dock,
    blind,
    yesterday,
    mayCount,
    closed,
    finished,
    ready,
    found,
    write,
    onMove,
    onShow,
    onReopen,
  } = props;
  const book = useOpenCount();
  const items = useItems();
  const active = useActiveItemId();
  const [saved, setSaved] = useState<{ text: string; place: SavedPlace } | null>(null);
  useKeyboard(dock);
  const onSaved = useCallback(
    (text: string, place: SavedPlace) => afterFrame(() => setSaved({ text, place })),
    [],
  );
  const item = active && !closed ? items.find(({ id }) => id === active) : undefined;

  const close = useCallback(() => onShow(null), [onShow]);

  // A ref: pasting uses the order at that moment, without rendering the entry again when the order changes.
  const filling = useRef<(lines: readonly string[]) => void>(undefined as never);
  filling.current = (lines) => {
    const order = shownItems(book, found);
    const from = order.findIndex(({ id }) => id === active);
    const values = lines.flatMap((line, i) => {
      const one = order[from + i];
      const value = numberOf(line.split('\t')[0] ?? '', kindOfUnit(one?.uomCode, one?.whole));
      return one && value !== null && value >= 0 ? [{ itemId: one.id, qty: value }] : [];
    });
    if (values.length === 0) {
      failed('No number to paste');
      return;
    }
    const left = lines.filter((line) => line.split('\t')[0]?.trim()).length - values.length;
    if (left > 0) {
      const were = plural(left, 'line was', 'lines were');
      lastingError(`${were} left out: no number, one that may mean two, or no item for it.`);
    }
    void book.countMany(values).then((place) => {
      setSaved({ text: plural(values.length, 'count'), place });
      done(`${plural(values.length, 'count')} filled in`);
    });
  };
  const fill = useCallback((lines: readonly string[]) => filling.current(lines), []);

  return (
    <div ref={dock} className={classes.dock} data-open={item ? true : undefined} data-foot>
      {saved && (item || !finished) && (
        <p className={classes.saved} role="status" data-place={saved.place}>
          {saved.text} – {saved.place === 'nowhere' ? 'NOT saved' : 'saved on this device'}
        </p>
      )}
      {item ? (
        <Entry
          item={item}
          blind={blind}
          yesterday={yesterday}
          write={write}
          onMove={onMove}
          onFill={fill}
          onClose={close}
          onSaved={onSaved}
        />
      ) : (
        mayCount &&
        ready &&
        (finished ? (
          <Button
            className={classes.start}
            size="md"
            variant="default"
            fullWidth
            leftSection={<IconPencil size={20} aria-hidden />}
            onClick={onReopen}
          >
            Change this count
          </Button>
        ) : (
          <Button
            className={classes.start}
            size="md"
            fullWidth
            disabled={closed || items.length === 0}
            leftSection={<IconPlayerPlay size={20} aria-hidden />}
            onClick={() => {
              const first = firstUncounted(book) ?? items[0];
              if (first) onShow(first.id);
            }}
          >
            Start counting
          </Button>
        ))
      )}
    </div>
  );
});

/** Pixels of height: with less, the keyboard is open or the phone is in landscape. */
const TIGHT_HEIGHT = 620;

/** Keeps the dock above keyboards that overlay the page. */
function useKeyboard(dock: RefObject<HTMLDivElement | null>): void {
  useEffect(() => {
    const view = window.visualViewport;
    if (!view) return;
    const measure = () => {
      const hidden = Math.max(0, Math.round(innerHeight - view.height - view.offsetTop));
      dock.current?.style.setProperty('--keyboard', `${hidden}px`);
      dock.current?.toggleAttribute('data-tight', view.height < TIGHT_HEIGHT);
    };
    measure();
    view.addEventListener('resize', measure);
    view.addEventListener('scroll', measure);
    return () => {
      view.removeEventListener('resize', measure);
      view.removeEventListener('scroll', measure);
    };
  }, [dock]);
}
