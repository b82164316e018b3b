import { type RefObject, useEffect, useRef } from 'react';
import { isTyping, overlayOpen } from '#/ui/keys';
import type { GridHandle, GridRow } from './Grid';
import type { Step } from './treeMoves';

/** Alt and an arrow move a row of a tree: among its siblings, in or out. */
const STEPS: Readonly<Record<string, Step>> = {
  ArrowUp: 'up',
  ArrowDown: 'down',
  ArrowRight: 'in',
  ArrowLeft: 'out',
};

interface Options<T> {
  rows: readonly GridRow<T>[];
  box: RefObject<HTMLInputElement | null>;
  onOpen?(row: T): void;
  /** If editing differs from opening. */
  onEdit?(row: T): void;
  onNew?(): void;
  onPick?(key: string): void;
  onStep?(key: string, step: Step): void;
}

/** The shortcuts j k x e Enter n /, inactive while a field or a dialog has focus. */
export function useTableKeys<T>(options: Options<T>) {
  const grid = useRef<GridHandle>(null);
  const latest = useRef(options);
  latest.current = options;

  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || overlayOpen()) return;
      const { rows, box, onOpen, onEdit, onNew, onPick, onStep } = latest.current;
      if (event.altKey) {
        const step = STEPS[event.key];
        const row = rows[grid.current?.at() ?? -1];
        if (!step || !onStep || !row?.row || isTyping(event)) return;
        // Alt and an arrow would otherwise go back in the browser's history.
        event.preventDefault();
        onStep(row.key, step);
        return;
      }
      const inBox = event.target === box.current;
      if (inBox && event.key === 'ArrowDown') {
        grid.current?.go(0);
        event.preventDefault();
        return;
      }
      if (isTyping(event)) return;
      const at = grid.current?.at() ?? -1;
      const row = rows[at];
      // A focused button or link keeps its own Enter.
      const inside = (event.target as HTMLElement).closest('button, a, input');

      switch (event.key) {
        case 'j':
        case 'ArrowDown':
          grid.current?.go(Math.min(at + 1, rows.length - 1));
          break;
        case 'k':
        case 'ArrowUp':
          grid.current?.go(Math.max(at - 1, 0));
          break;
        case 'Home':
          if (at < 0) return;
          grid.current?.go(0);
          break;
        case 'End':
          if (at < 0) return;
          grid.current?.go(rows.length - 1);
          break;
        case 'x':
          if (!row?.row || !onPick) return;
          onPick(row.key);
          break;
        case 'Enter':
          if (inside || !row?.row || !onOpen) return;
          onOpen(row.row);
          break;
        case 'e':
          if (!row?.row || !(onEdit ?? onOpen)) return;
          (onEdit ?? onOpen)?.(row.row);
          break;
        case 'n':
          if (!onNew) return;
          onNew();
          break;
        case '/':
          box.current?.focus();
          box.current?.select();
          break;
        default:
          return;
      }
      event.preventDefault();
    };
    window.addEventListener('keydown', press);
    return () => window.removeEventListener('keydown', press);
  }, []);

  return { grid };
}
