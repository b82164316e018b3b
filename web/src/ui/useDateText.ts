import { useState } from 'react';
import classes from './DatePicker.module.css';
import { isDay, readDay } from './dates';
import { day } from './format';

export interface DateText {
  /** The field's text: the date in words, or what is being typed. */
  text: string;
  fault: string | null;
  type(text: string): void;
  leave(): void;
  /** Opens the browser's calendar beside an element of the field. */
  open(beside: HTMLElement | null): void;
}

interface Limits {
  min?: string | undefined;
  max?: string | undefined;
}

/**
 * A date shown as «24 Nov 2026» and typed in any spelling of `readDay`. Browsers' own date fields
 * use their language's order, in which 3/4 may be a day in March or in April.
 */
export function useDateText(
  value: string,
  onChange: (day: string) => void,
  { min, max }: Limits = {},
): DateText {
  const [typed, setTyped] = useState<string | null>(null);
  const text = typed ?? (isDay(value) ? day(value) : value);
  return {
    text,
    fault: text.trim() && readDay(text) === null ? 'Enter a date, such as 24 Nov 2026.' : null,
    type: (next) => {
      setTyped(next);
      // Invalid text is not «none»: an empty last day means an open-ended lease.
      onChange(readDay(next) ?? next.trim());
    },
    leave: () => setTyped(null),
    open: (beside) =>
      pickDay(beside, { value, min, max }, (date) => {
        setTyped(null);
        onChange(date);
      }),
  };
}

/** Phones use their own calendar; typing a date on a keypad is no help. */
export const isTouch = (): boolean => window.matchMedia('(pointer: coarse)').matches;

/** The browser's date field exists only while its calendar is open, and is invisible. */
function pickDay(
  beside: HTMLElement | null,
  { value, min = '', max = '' }: Limits & { value: string },
  onPick: (day: string) => void,
): void {
  for (const left of document.querySelectorAll(`.${classes.host}`)) left.remove();
  const native = document.createElement('input');
  Object.assign(native, { type: 'date', value: isDay(value) ? value : '', min, max, tabIndex: -1 });
  native.className = classes.host ?? '';
  native.ariaHidden = 'true';
  native.addEventListener('change', () => {
    native.remove();
    onPick(native.value);
  });
  const at = beside?.getBoundingClientRect();
  native.style.left = `${at?.left ?? 0}px`;
  native.style.top = `${at?.bottom ?? 0}px`;
  document.body.append(native);
  try {
    native.showPicker();
  } catch {
    // Without the browser's calendar the date is typed.
    native.remove();
  }
}
