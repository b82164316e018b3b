import { type KeyboardEvent, type RefObject, useCallback, useLayoutEffect, useRef } from 'react';
import type { MatrixProps, MatrixRow } from './Matrix';

interface CellNavigationProps<R extends MatrixRow> extends MatrixProps<R> {
  box: RefObject<HTMLDivElement | null>;
  grid: { starts: readonly number[]; rowHeight: number };
  nameWidth: number;
  totalWidth: number;
  /** Rows and the sums between them. */
  lines: number;
}

/** Keyboard navigation in the grid; the focused cell is the current one. */
export function useCellNavigation<R extends MatrixRow>(props: CellNavigationProps<R>) {
  const latest = useRef(props);
  latest.current = props;
  const inside = useRef(false);

  const onName = useCallback((id: string) => {
    const row = latest.current.rows.find((one) => one.id === id);
    if (row) latest.current.onName(row);
  }, []);

  const go = useCallback((r: number, c: number) => {
    const { box, grid, nameWidth, totalWidth, columns } = latest.current;
    const element = box.current;
    if (!element) return;
    const head = element.querySelector('thead')?.offsetHeight ?? 44;
    const foot = element.querySelector('tfoot')?.offsetHeight ?? 0;
    if (r >= 0 && r < latest.current.lines) {
      const y = r * grid.rowHeight;
      const room = element.clientHeight - head - foot;
      if (y < element.scrollTop) element.scrollTop = y;
      else if (y + grid.rowHeight > element.scrollTop + room)
        element.scrollTop = y + grid.rowHeight - room;
    }
    if (c > 0 && c <= columns.length) {
      const [x = 0, end = 0] = grid.starts.slice(c - 1, c + 1);
      const room = element.clientWidth - nameWidth - totalWidth;
      if (x < element.scrollLeft) element.scrollLeft = x;
      else if (end > element.scrollLeft + room) element.scrollLeft = end - room;
    }
    // An editable cell passes the focus to its field.
    const find = () => {
      const cell = element.querySelector<HTMLElement>(`[data-r="${r}"][data-c="${c}"]`);
      return cell?.querySelector('input') ?? cell;
    };
    const there = find();
    if (there) there.focus({ preventScroll: true });
    // The cell may have to be rendered first.
    else
      requestAnimationFrame(() =>
        requestAnimationFrame(() => find()?.focus({ preventScroll: true })),
      );
  }, []);

  const onKeyDown = useCallback(
    (event: KeyboardEvent<HTMLElement>) => {
      if (event.ctrlKey || event.metaKey || event.altKey) return;
      const { lines, columns, total, foot } = latest.current;
      const target = event.target as HTMLElement;
      const at = target.closest<HTMLElement>('[data-r]');
      const width = columns.length + (total ? 1 : 0);
      const last = foot === null ? lines - 1 : lines;
      if (!at) {
        if (event.key !== 'ArrowDown' && event.key !== 'ArrowRight') return;
        event.preventDefault();
        event.stopPropagation();
        go(0, 0);
        return;
      }
      const r = Number(at.dataset.r);
      const c = Number(at.dataset.c);
      const page = 10;
      const moves: Record<string, [number, number]> = {
        ArrowDown: [r + 1, c],
        ArrowUp: [r - 1, c],
        ArrowRight: [r, c + 1],
        ArrowLeft: [r, c - 1],
        Home: [r, 0],
        End: [r, width],
        PageDown: [r + page, c],
        PageUp: [r - page, c],
      };
      const field = target.tagName === 'INPUT';
      // While a field is edited, these keys belong to its text.
      if (
        field &&
        target.dataset.editing === 'true' &&
        /^(ArrowLeft|ArrowRight|Home|End)$/.test(event.key)
      )
        return;
      if (field && event.key === 'Enter') {
        event.preventDefault();
        go(Math.max(0, Math.min(lines - 1, r + (event.shiftKey ? -1 : 1))), c);
        return;
      }
      const move = moves[event.key];
      if (move) {
        event.preventDefault();
        event.stopPropagation();
        go(Math.max(-1, Math.min(last, move[0])), Math.max(0, Math.min(width, move[1])));
      } else if (event.key === 'Enter' && at.tagName === 'TD') {
        event.preventDefault();
        at.click();
      } else if (event.key === 'Escape') {
        latest.current.box.current?.focus();
      }
    },
    [go],
  );

  // A cell that scrolls out of the window passes the focus to the frame.
  useLayoutEffect(() => {
    const element = props.box.current;
    if (!element) return;
    if (inside.current && document.activeElement === document.body) {
      element.focus({ preventScroll: true });
    }
    inside.current = element.contains(document.activeElement);
  });

  const onFocus = useCallback(() => {
    inside.current = true;
  }, []);

  return { onKeyDown, onFocus, onName };
}
