// What makes an input a number field. `NumberFields` serves every input marked so: it shows what was understood when
// the field is left, asks about a comma that may mean two things, and offers operator keys on phones.
import type { NumberKind } from './numberInput';

interface Attributes {
  inputMode: 'decimal' | 'numeric';
  autoComplete: 'off';
  'data-number': NumberKind;
  'data-number-unit': string | undefined;
}

/** Spread onto an input whose text is read by `readTyped(text, as)`. */
export function numberField(as: NumberKind, unit?: string | null): Attributes {
  return {
    inputMode: as === 'whole' ? 'numeric' : 'decimal',
    autoComplete: 'off',
    'data-number': as,
    'data-number-unit': unit || undefined,
  };
}

const setValue = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set;

/** Sets the text of an input as if it had been typed, so that its component learns of it. */
export function typeInto(input: HTMLInputElement, text: string): void {
  if (input.value === text) return;
  setValue?.call(input, text);
  input.dispatchEvent(new Event('input', { bubbles: true }));
}

/** Types an operator where the caret is. A number that is selected as a whole is kept in front of it. */
export function insertOperator(input: HTMLInputElement, sign: string): void {
  const { value } = input;
  const from = input.selectionStart ?? value.length;
  const end = Math.max(from, input.selectionEnd ?? value.length);
  const all = from === 0 && end === value.length && end > 0;
  const start = all ? end : from;
  typeInto(input, value.slice(0, start) + sign + value.slice(end));
  // At once: the next key is typed before another frame on a quick keyboard.
  input.setSelectionRange(start + 1, start + 1);
}
