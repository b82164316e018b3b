import { type PointerEvent, type RefObject, useCallback, useEffect, useRef, useState } from 'react';
import { type Zone, zoneAt } from './treeMoves';

export interface Drag {
  /** The dragged row. */
  id: string;
  /** The row below the pointer, if it can be dropped there. */
  over: string | null;
  zone: Zone;
}

interface Options {
  scroll: RefObject<HTMLElement | null>;
  ordered: boolean;
  /** Whether the row can be dropped there. */
  may(id: string, over: string, zone: Zone): boolean;
  drop(id: string, over: string, zone: Zone): void;
}

/** Distance from an edge, in pixels, at which scrolling starts, and pixels per frame. */
const EDGE = 44;
const PACE = 9;

/**
 * Drags a row of a tree with mouse, pen or finger. The scroll container captures the pointer, because the
 * row may be unmounted while scrolling.
 */
export function useTreeDrag(options: Options) {
  const [drag, setDrag] = useState<Drag | null>(null);
  const latest = useRef(options);
  latest.current = options;
  const stop = useRef<() => void>(() => {});
  useEffect(() => () => stop.current(), []);

  const start = useCallback((id: string, event: PointerEvent<HTMLElement>) => {
    const place = latest.current.scroll.current;
    if (!place || event.button !== 0) return;
    event.preventDefault();
    const { pointerId } = event;
    let now: Drag = { id, over: null, zone: 'into' };
    let [x, y] = [event.clientX, event.clientY];
    let frame = 0;
    const show = (next: Drag) => {
      if (next.over === now.over && next.zone === now.zone) return;
      now = next;
      setDrag(next);
    };
    const look = () => {
      const row = document.elementFromPoint(x, y)?.closest<HTMLElement>('[data-key]');
      const over = row && place.contains(row) ? row.dataset.key : undefined;
      if (!row || over === undefined) return show({ id, over: null, zone: 'into' });
      const { top, height } = row.getBoundingClientRect();
      const { ordered, may } = latest.current;
      const wanted = zoneAt((y - top) / height, ordered);
      // If it cannot be dropped between, try into, and the other way round.
      const tries: Zone[] =
        wanted === 'into' && ordered
          ? ['into', y - top < height / 2 ? 'before' : 'after']
          : [wanted, 'into'];
      const zone = tries.find((one) => may(id, over, one));
      show(zone ? { id, over, zone } : { id, over: null, zone: 'into' });
    };
    const tick = () => {
      const { top, bottom } = place.getBoundingClientRect();
      const by = y < top + EDGE ? -PACE : y > bottom - EDGE ? PACE : 0;
      if (by) {
        place.scrollBy(0, by);
        look();
      }
      frame = requestAnimationFrame(tick);
    };
    const move = (moved: globalThis.PointerEvent) => {
      if (moved.pointerId !== pointerId) return;
      [x, y] = [moved.clientX, moved.clientY];
      look();
    };
    const end = (ended: globalThis.PointerEvent) => {
      if (ended.pointerId !== pointerId) return;
      stop.current();
      if (ended.type === 'pointerup' && now.over) latest.current.drop(id, now.over, now.zone);
    };
    const key = (pressed: KeyboardEvent) => {
      if (pressed.key !== 'Escape') return;
      pressed.preventDefault();
      stop.current();
    };
    stop.current = () => {
      stop.current = () => {};
      cancelAnimationFrame(frame);
      place.removeEventListener('pointermove', move);
      place.removeEventListener('pointerup', end);
      place.removeEventListener('pointercancel', end);
      window.removeEventListener('keydown', key, true);
      if (place.hasPointerCapture(pointerId)) place.releasePointerCapture(pointerId);
      setDrag(null);
    };
    place.setPointerCapture(pointerId);
    place.addEventListener('pointermove', move);
    place.addEventListener('pointerup', end);
    place.addEventListener('pointercancel', end);
    window.addEventListener('keydown', key, true);
    frame = requestAnimationFrame(tick);
    setDrag(now);
  }, []);

  return { drag, start };
}
