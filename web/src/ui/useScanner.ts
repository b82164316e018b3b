import { useEffect, useRef } from 'react';
import { overlayOpen } from './keys';

/** The longest pause between two keys of a scanner, in milliseconds; typing is slower over a whole code. */
const PAUSE_MS = 100;
/** The shortest code. Quantities are shorter. */
const LEAST = 6;

type Field = HTMLInputElement | HTMLTextAreaElement;

/** Keys that follow each other as fast as a scanner sends them. */
interface Burst {
  text: string;
  last: number;
  field: Field | null;
  /** What the field held before. */
  before: string;
  /** Whether it was a cell of a grid, entered but not typed into. */
  selected: boolean;
}

const isCode = (text: string) => text.length >= LEAST && /^[\w./ -]*\d[\w./ -]*$/.test(text);

/** Puts back what a field held before the code was typed into it. */
function putBack({ field, before, selected }: Burst): void {
  if (!field) return;
  if (selected) {
    // A cell of a grid in which nothing was typed before is by Escape as if nothing had been.
    const key = { key: 'Escape', bubbles: true, cancelable: true };
    field.dispatchEvent(new KeyboardEvent('keydown', key));
    return;
  }
  Object.getOwnPropertyDescriptor(Object.getPrototypeOf(field), 'value')?.set?.call(field, before);
  field.dispatchEvent(new Event('input', { bubbles: true }));
}

/**
 * Calls `onScan` with the codes of a scanner that types like a keyboard and ends with Enter, wherever the focus is; a
 * field that it was typed into gets back what it held. Null while nothing may be scanned, and not over a dialog.
 */
export function useScanner(onScan: ((code: string) => void) | null): void {
  const latest = useRef(onScan);
  latest.current = onScan;
  const scans = onScan !== null;

  useEffect(() => {
    if (!scans) return;
    let burst: Burst | null = null;
    const press = (event: KeyboardEvent) => {
      const quick = burst !== null && event.timeStamp - burst.last <= PAUSE_MS;
      if (event.key === 'Shift') return;
      if (event.key === 'Enter' && burst && quick && isCode(burst.text) && !overlayOpen()) {
        const whole = burst;
        burst = null;
        event.preventDefault();
        event.stopImmediatePropagation();
        putBack(whole);
        latest.current?.(whole.text.trim());
        return;
      }
      if (event.key.length !== 1 || event.ctrlKey || event.metaKey || event.altKey) {
        burst = null;
        return;
      }
      const at = event.target;
      const field = at instanceof HTMLInputElement || at instanceof HTMLTextAreaElement ? at : null;
      if (burst && quick) burst = { ...burst, text: burst.text + event.key, last: event.timeStamp };
      else {
        const before = field?.value ?? '';
        const selected = field?.dataset.editing === 'false';
        burst = { text: event.key, last: event.timeStamp, field, before, selected };
      }
    };
    // Before the keys of the screen.
    window.addEventListener('keydown', press, { capture: true });
    return () => window.removeEventListener('keydown', press, { capture: true });
  }, [scans]);
}
