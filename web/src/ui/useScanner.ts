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
}

const isCode = (text: string) => text.length >= LEAST && /^[\w./ -]*\d[\w./ -]*$/.test(text);

/** Puts back what a field held before the code was typed into it. */
function putBack(field: Field, before: string): void {
  if (field.dataset.row !== undefined) {
    // A cell of a grid takes back what is being typed by Escape.
    const escape = new KeyboardEvent('keydown', { key: 'Escape', bubbles: true, cancelable: true });
    field.dispatchEvent(escape);
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
        const { text, field, before } = burst;
        burst = null;
        event.preventDefault();
        event.stopImmediatePropagation();
        if (field) putBack(field, before);
        latest.current?.(text.trim());
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
        burst = { text: event.key, last: event.timeStamp, field, before: field?.value ?? '' };
      }
    };
    // Before the keys of the screen.
    window.addEventListener('keydown', press, { capture: true });
    return () => window.removeEventListener('keydown', press, { capture: true });
  }, [scans]);
}
