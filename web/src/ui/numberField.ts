// Marks an input as a number field. `NumberFields` serves every such input: it shows what was understood when the field
// is left, asks about an ambiguous comma, and offers operator keys on phones.
import type { NumberKind } from './numberInput';

interface Attributes {
  inputMode: 'decimal' | 'numeric';
  autoComplete: 'off';
  'data-number': NumberKind;
  'data-number-unit': string | undefined;
}

/** Spread onto an input whose text is parsed by `readTyped(text, as)`. */
export function numberField(as: NumberKind, unit?: string | null): Attributes {
  return {
    inputMode: as === 'whole' ? 'numeric' : 'decimal',
    autoComplete: 'off',
    'data-number': as,
    'data-number-unit': unit || undefined,
  };
}

const setValue = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set;

/** Sets the text of an input as if typed, so that its component is notified. */
export function typeInto(input: HTMLInputElement, text: string): void {
  if (input.value === text) return;
  setValue?.call(input, text);
  input.dispatchEvent(new Event('input', { bubbles: true }));
}

/** Types an operator at the caret. A fully selected number is kept in front of it. */
export function insertOperator(input: HTMLInputElement, sign: string): void {
  const { value } = input;
  const from = input.selectionStart ?? value.length;
  const end = Math.max(from, input.selectionEnd ?? value.length);
  const all = from === 0 && end === value.length && end > 0;
  const start = all ? end : from;
  typeInto(input, value.slice(0, start) + sign + value.slice(end));
  // At once: on a quick keyboard the next key comes before another frame.
  input.setSelectionRange(start + 1, start + 1);
}
