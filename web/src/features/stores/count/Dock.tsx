import { Button } from '@mantine/core';
import { IconPencil, IconPlayerPlay } from '@tabler/icons-react';
import { memo, type RefObject, useCallback, useEffect, useRef, useState } from 'react';
import type { Place } from '#/offline/lane';
import { afterFrame } from '#/ui/afterFrame';
import { work } from '#/ui/arithmetic';
import { plural } from '#/ui/format';
import { done, failed } from '#/ui/toast';
import classes from './Count.module.css';
import { useActive } from './cursor';
import { Entry } from './Entry';
import { useItems, useOpenBook } from './useCount';
import { type Found, firstOpen, shownOf } from './walk';

interface Props {
  /** Where it is; what is counted is scrolled to stand above it. */
  dock: RefObject<HTMLDivElement | null>;
  blind: boolean;
  yesterday: string;
  /** Whether this person may count at all. */
  mayCount: boolean;
  /** Whether something keeps them from it now. */
  closed: boolean;
  /** It is finished; whoever may can change it all the same. */
  finished: boolean;
  ready: boolean;
  found: Found;
  /** Writes down what is typed; for whoever is about to show another item. */
  write: RefObject<(() => void) | null>;
  onMove(by: 1 | -1): void;
  onShow(id: string | null): void;
  onReopen(): void;
}

/** Where numbers are typed: under the thumb on a phone, beside the list at a desk. */
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
  const book = useOpenBook();
  const items = useItems();
  const active = useActive();
  const [said, setSaid] = useState<{ text: string; place: Place } | null>(null);
  useKeyboard(dock);
  const onSaved = useCallback(
    (text: string, place: Place) => afterFrame(() => setSaid({ text, place })),
    [],
  );
  const item = active && !closed ? items.find(({ id }) => id === active) : undefined;

  const close = useCallback(() => onShow(null), [onShow]);

  // What is pasted goes by the order of the moment; the field it is pasted into is not drawn for that.
  const filling = useRef<(lines: readonly string[]) => void>(undefined as never);
  filling.current = (lines) => {
    const order = shownOf(book, found);
    const from = order.findIndex(({ id }) => id === active);
    const values = lines.flatMap((line, i) => {
      const one = order[from + i];
      const value = work(line.split('\t')[0] ?? '');
      return one && value !== null && value >= 0 ? [{ itemId: one.id, qty: value }] : [];
    });
    if (values.length === 0) {
      failed('No number to paste');
      return;
    }
    void book.countMany(values).then((place) => {
      setSaid({ text: plural(values.length, 'count'), place });
      done(`${plural(values.length, 'count')} filled in`);
    });
  };
  const fill = useCallback((lines: readonly string[]) => filling.current(lines), []);

  return (
    <div ref={dock} className={classes.dock} data-open={item ? true : undefined} data-foot>
      {said && (item || !finished) && (
        <p className={classes.said} role="status" data-place={said.place}>
          {said.text} – {said.place === 'nowhere' ? 'NOT saved' : 'saved on this device'}
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
              const first = firstOpen(book) ?? items[0];
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

/** With less height than this the keyboard is up, or the phone lies on its side. */
const TIGHT = 620;

/** Some phones lay their keyboard over the page; the dock stays above it. */
function useKeyboard(dock: RefObject<HTMLDivElement | null>): void {
  useEffect(() => {
    const view = window.visualViewport;
    if (!view) return;
    const measure = () => {
      const hidden = Math.max(0, Math.round(innerHeight - view.height - view.offsetTop));
      dock.current?.style.setProperty('--keyboard', `${hidden}px`);
      dock.current?.toggleAttribute('data-tight', view.height < TIGHT);
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
