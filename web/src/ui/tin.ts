/** Digits of a TIN without a branch code, and with one of three or five digits. */
const LENGTHS: readonly number[] = [9, 12, 14];

/**
 * A TIN as it is printed, 123-456-789-00000: the first nine digits in threes, then the branch code. What was typed
 * otherwise, such as half a number or a foreign one, stays as it is.
 */
export function tinText(typed: string): string {
  const text = typed.trim();
  if (!/^[\d\s.-]+$/.test(text)) return text;
  const digits = text.replace(/\D/g, '');
  if (!LENGTHS.includes(digits.length)) return text;
  const branch = digits.slice(9);
  return [digits.slice(0, 3), digits.slice(3, 6), digits.slice(6, 9), branch]
    .filter(Boolean)
    .join('-');
}
