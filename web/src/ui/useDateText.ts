import { type RefObject, useRef, useState } from 'react';
import { isDay, readDay } from './dates';
import { day } from './format';

export interface DateText {
  /** What stands in the field: the date in words, or what is being typed. */
  text: string;
  fault: string | null;
  /** The browser's own picker; it is not seen and only lends its calendar. */
  picker: RefObject<HTMLInputElement | null>;
  type(text: string): void;
  leave(): void;
  pick(date: string): void;
  open(): void;
}

/**
 * A date that is shown as «24 Nov 2026» and typed in any spelling of `readDay`. Browsers show their own date fields
 * in the order of their language, in which 3/4 may be a day in March or in April.
 */
export function useDateText(value: string, onChange: (day: string) => void): DateText {
  const [typed, setTyped] = useState<string | null>(null);
  const picker = useRef<HTMLInputElement>(null);
  return {
    text: typed ?? (isDay(value) ? day(value) : value),
    fault: typed?.trim() && readDay(typed) === null ? 'Enter a date, such as 24 Nov 2026.' : null,
    picker,
    type: (text) => {
      setTyped(text);
      onChange(readDay(text) ?? '');
    },
    leave: () => {
      // What is no date stays, so that it can be mended.
      if (value || !typed?.trim()) setTyped(null);
    },
    pick: (date) => {
      setTyped(null);
      onChange(date);
    },
    open: () => {
      try {
        picker.current?.showPicker();
      } catch {
        // Without the browser's calendar the date is typed.
      }
    },
  };
}

/** Phones choose from their own calendar; typing a date on a keypad is no help. */
export const isTouch = (): boolean => window.matchMedia('(pointer: coarse)').matches;
