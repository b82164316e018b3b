// Expressions typed into number fields, such as «12*6+3», evaluated in fractions, so that 0.1+0.2 is 0.3.
import { parseDecimal } from './format';

/** Numerator and denominator; the denominator is above zero. */
type Fraction = readonly [bigint, bigint];

const DIGITS = 6;
const SCALE = 10n ** BigInt(DIGITS);
const LONGEST = 200;

/** The value of an expression, to six decimals; null when it is invalid. */
export function evaluate(text: string): number | null {
  const tokens = split(text);
  if (!tokens || tokens.length === 0) return null;
  let at = 0;

  const sum = (): Fraction | null => {
    let left = product();
    while (left && (tokens[at] === '+' || tokens[at] === '-')) {
      const sign = tokens[at] === '+' ? 1n : -1n;
      at += 1;
      const right = product();
      if (!right) return null;
      left = [left[0] * right[1] + sign * right[0] * left[1], left[1] * right[1]];
    }
    return left;
  };
  const product = (): Fraction | null => {
    let left = factor();
    while (left && (tokens[at] === '*' || tokens[at] === '/')) {
      const times = tokens[at] === '*';
      at += 1;
      const right = factor();
      if (!right) return null;
      if (times) left = [left[0] * right[0], left[1] * right[1]];
      else if (right[0] === 0n) return null;
      else {
        const sign = right[0] < 0n ? -1n : 1n;
        left = [sign * left[0] * right[1], sign * left[1] * right[0]];
      }
    }
    return left;
  };
  const factor = (): Fraction | null => {
    const token = tokens[at];
    at += 1;
    if (token === '-' || token === '+') {
      const of = factor();
      return of && (token === '-' ? [-of[0], of[1]] : of);
    }
    if (token === '(') {
      const inner = sum();
      if (tokens[at] !== ')') return null;
      at += 1;
      return inner;
    }
    return token === undefined ? null : fraction(token);
  };

  const value = sum();
  return value && at === tokens.length ? rounded(value) : null;
}

/** Whether it is an expression rather than a plain number, so that its value should be shown. */
export function isSum(text: string): boolean {
  return (split(text)?.length ?? 0) > 1 && parseDecimal(text) === null;
}

function split(text: string): string[] | null {
  const clean = text
    .trim()
    .replace(/^=/, '')
    .replace(/[−–]/g, '-')
    .replace(/[×x]/gi, '*')
    .replace(/[÷:]/g, '/');
  if (clean.length > LONGEST) return null;
  const tokens = clean.match(/\d[\d.,]*|[.,]\d+|[-+*/()]/g) ?? [];
  return tokens.join('') === clean.replace(/[\s₱]/g, '') ? tokens : null;
}

function fraction(token: string): Fraction | null {
  const value = parseDecimal(token);
  const [whole = '', decimals = ''] = value === null ? [] : String(value).split('.');
  return /^\d+$/.test(whole) && /^\d*$/.test(decimals)
    ? [BigInt(whole + decimals), 10n ** BigInt(decimals.length)]
    : null;
}

/** Half away from zero, as quantities are rounded everywhere. */
function rounded([top, bottom]: Fraction): number {
  const negative = top < 0n;
  const size = negative ? -top : top;
  const scaled = (size * SCALE * 2n + bottom) / (bottom * 2n);
  const digits = String(scaled).padStart(DIGITS + 1, '0');
  const value = Number(`${digits.slice(0, -DIGITS)}.${digits.slice(-DIGITS)}`);
  return negative && value !== 0 ? -value : value;
}
