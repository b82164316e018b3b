import { type RefObject, useLayoutEffect, useState } from 'react';

export interface Visible {
  top: number;
  bottom: number;
  left: number;
  right: number;
}

/** Rows and columns come in blocks, so that a small scroll renders nothing. */
const ROWS = 8;
const COLUMNS = 4;

interface Grid {
  rows: number;
  rowHeight: number;
  /** The offsets of the columns, and the end of the last one. */
  starts: readonly number[];
}

/** The index of the column at an offset. */
export function columnAt(starts: readonly number[], x: number): number {
  let [low, high] = [0, Math.max(0, starts.length - 2)];
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((starts[middle] ?? 0) <= x) low = middle;
    else high = middle - 1;
  }
  return low;
}

/** The cells in view, with a margin, as half-open ranges. */
export function visible(
  grid: Grid,
  at: { x: number; y: number; width: number; height: number },
): Visible {
  const columns = Math.max(0, grid.starts.length - 1);
  const down = (n: number, by: number) => Math.floor(n / by) * by;
  const up = (n: number, by: number) => Math.ceil(n / by) * by;
  const top = Math.max(0, down(Math.floor(at.y / grid.rowHeight), ROWS) - ROWS);
  const bottom = Math.min(grid.rows, up((at.y + at.height) / grid.rowHeight + 1, ROWS) + ROWS);
  const left = Math.max(0, down(columnAt(grid.starts, at.x), COLUMNS) - COLUMNS);
  const last = columnAt(grid.starts, at.x + at.width) + 1;
  return { top, bottom, left, right: Math.min(columns, up(last, COLUMNS) + COLUMNS) };
}

/** Follows an element's scrolling and computes which cells must be rendered. */
export function useWindow(box: RefObject<HTMLElement | null>, grid: Grid) {
  const [width, setWidth] = useState(0);
  const [shown, setShown] = useState<Visible>(() =>
    visible(grid, { x: 0, y: 0, width: 1400, height: 900 }),
  );

  useLayoutEffect(() => {
    const element = box.current;
    if (!element) return;
    const look = () => {
      const next = visible(grid, {
        x: element.scrollLeft,
        y: element.scrollTop,
        width: element.clientWidth || 1400,
        height: element.clientHeight || 900,
      });
      setShown((now) =>
        now.top === next.top &&
        now.bottom === next.bottom &&
        now.left === next.left &&
        now.right === next.right
          ? now
          : next,
      );
      setWidth(element.clientWidth);
    };
    look();
    element.addEventListener('scroll', look, { passive: true });
    const observer = new ResizeObserver(look);
    observer.observe(element);
    return () => {
      element.removeEventListener('scroll', look);
      observer.disconnect();
    };
  }, [box, grid]);

  return { shown, width };
}
