// How typed numbers are parsed, and shown again when the field is left. One grammar for every field of the console;
// fields differ only in the kind of number, which decides what a single comma means.

/**
 * `money`: pesos. `whole`: pieces, days and other whole units. `divisible`: kilograms, litres and
 * other units that can be divided. `factor`: conversion factors and weights of root items. `price`:
 * prices of root items, parsed as a factor and shown as money. `percent`: shares in percent.
 */
export type NumberKind = 'money' | 'price' | 'whole' | 'divisible' | 'factor' | 'percent';

export type Typed =
  | { value: number }
  /** A comma that may group thousands or mark decimals: the user decides. */
  | { ambiguous: true; choices: readonly [number, number] }
  | { invalid: true };

const INVALID: Typed = { invalid: true };
const LONGEST = 200;
/** With more digits a double no longer holds every decimal number. */
const MOST_DIGITS = 15;
/** Decimals of a calculated value; a plainly typed number keeps its own. */
const PLACES: Readonly<Record<NumberKind, number>> = {
  money: 2,
  price: 2,
  whole: 6,
  divisible: 6,
  factor: 9,
  percent: 6,
};

/** What a single comma before exactly three digits, after one to three that do not start with 0, means. */
const COMMA: Readonly<Record<NumberKind, 'groups' | 'decimal' | 'asked'>> = {
  money: 'groups',
  whole: 'groups',
  divisible: 'asked',
  factor: 'decimal',
  price: 'decimal',
  percent: 'decimal',
};

type Comma = 'groups' | 'decimal';

/** Numerator and denominator; the denominator is above zero. */
type Fraction = readonly [bigint, bigint];

/** The value of a text; an empty one is invalid. */
export function readTyped(text: string, as: NumberKind): Typed {
  const clean = plainCharacters(text, as);
  const rule = COMMA[as];
  if (rule !== 'asked') return typed(calculate(clean, rule, as));
  const [grouped, decimal] = [calculate(clean, 'groups', as), calculate(clean, 'decimal', as)];
  if (grouped === null || decimal === null || grouped === decimal) return typed(grouped);
  return { ambiguous: true, choices: [grouped, decimal] };
}

const typed = (value: number | null): Typed => (value === null ? INVALID : { value });

/** The number of a text; null if empty, invalid or ambiguous. */
export function numberOf(text: string, as: NumberKind): number | null {
  const reading = readTyped(text, as);
  return 'value' in reading ? reading.value : null;
}

/** Whether the user has to choose between two numbers. */
export const isUndecided = (text: string, as: NumberKind): boolean =>
  'ambiguous' in readTyped(text, as);

/** The error in a text that has to be a number, or the question it raises; null if it is fine. */
export function faultOf(text: string, as: NumberKind, unit = ''): string | null {
  const reading = readTyped(text, as);
  if ('invalid' in reading) return 'Enter a number.';
  return 'ambiguous' in reading ? questionOf(reading.choices, unit) : null;
}

/** «1,250 kg or 1.25 kg?» */
export function questionOf(choices: readonly number[], unit: string): string {
  return `${choices.map((value) => choiceLabel(value, unit)).join(' or ')}?`;
}

export const choiceLabel = (value: number, unit: string): string =>
  `${grouped(plainNumber(value))} ${unit}`.trim();

/** A number as a field of its kind shows it: parsed again, it is the same number. */
export function showNumber(value: number | null | undefined, as: NumberKind): string {
  if (value == null || !Number.isFinite(value)) return '';
  const text = plainNumber(value);
  // Where a comma marks decimals, none groups thousands.
  if (as === 'factor' || as === 'percent') return text;
  if (as === 'money' || as === 'price') return grouped(withCentavos(text));
  const shown = grouped(text);
  return as === 'divisible' && /^-?\d+,\d{3}$/.test(shown) ? `${shown}.0` : shown;
}

/** The text of a field after leaving it, normalized. Invalid or ambiguous text stays. */
export function shownTyped(text: string, as: NumberKind): string {
  const value = numberOf(text, as);
  return value === null ? text : showNumber(value, as);
}

/** Whether it is a calculation, so that its result is worth showing. */
export function isCalculation(text: string): boolean {
  const clean = plainCharacters(text, 'factor');
  return /[-+*/()]/.test(clean.slice(1)) && negativeOf(clean) === null;
}

/** Codes and names of units that can be divided: the words of `is_measure` in crates/domain/src/units/whole.rs. */
const MEASURES: ReadonlySet<string> = new Set(
  [
    'kg|kgs|kilo|kilos|kilogram|kilograms|g|gm|gms|gr|gram|grams|mg|milligram|milligrams|t|ton|tons|tonne|tonnes|mt',
    'lb|lbs|pound|pounds|oz|ounce|ounces|fl oz|l|lt|ltr|ltrs|liter|liters|litre|litres|ml|milliliter|milliliters',
    'millilitre|millilitres|cl|dl|cc|gal|gals|gallon|gallons|qt|quart|quarts|pt|pint|pints|cup|cups|tbsp|tablespoon',
    'tsp|teaspoon|m|meter|meters|metre|metres|cm|mm|ft|foot|feet|inch|inches|yd|yard|yards|sqm|m2|m²|cbm|m3|m³',
    'hr|hrs|hour|hours|min|minute|minutes|day|days',
  ].flatMap((line) => line.split('|')),
);

/** Whether a unit can be divided, by its code or name: only if the server does not say. */
export const isMeasure = (unit: string): boolean =>
  MEASURES.has(unit.trim().replace(/\.+$/, '').toLowerCase());

/**
 * The kind of number of a quantity in this unit: as the server says (`whole`), else by the unit's
 * code. Without a unit it may be any.
 */
export function kindOfUnit(unit: string | null | undefined, whole?: boolean | null): NumberKind {
  const code = unit?.trim() ?? '';
  return (whole ?? (code !== '' && !isMeasure(code))) ? 'whole' : 'divisible';
}

/** Full-width characters, kinds of spaces, minus and operator signs as plain ones; without the peso sign. */
function plainCharacters(text: string, as: NumberKind): string {
  const plain = text
    .replace(/[\uff01-\uff5e]/g, (wide) => String.fromCharCode(wide.charCodeAt(0) - 0xfee0))
    .replace(/[\u200b-\u200f\u202a-\u202e\u2060\ufeff]/g, '')
    // Two amounts, as in «₱50 ₱60», are not a number.
    .replace(/(\d)\s*₱\s*(?=[\d.,])/g, '$1 ? ')
    .replaceAll('₱', '')
    .trim()
    // Spreadsheet cells are separated by tabs.
    .replace(/[^\S\t\r\n]+/g, ' ')
    .replace(/^= ?/, '')
    .replace(/[−–‒﹣]/g, '-')
    .replace(/[×x]/gi, '*')
    .replace(/[÷:]/g, '/');
  return as === 'percent' ? plain.replace(/ ?%$/, '') : plain;
}

/** Digits with their marks; a space only groups three digits. */
const NUMBER = String.raw`[.,]?\d[\d.,]*(?: \d{3}(?!\d)[\d.,]*)*`;
const TOKENS = new RegExp(`${NUMBER}|[-+*/()]`, 'g');
const TRAILING_MINUS = new RegExp(`^(${NUMBER}) ?-$`);
const IN_PARENTHESES = new RegExp(`^\\( ?(${NUMBER}) ?\\)$`);

/** The absolute number of a negative in accounting format: «250-» or «(250)». */
function negativeOf(clean: string): string | null {
  return (TRAILING_MINUS.exec(clean) ?? IN_PARENTHESES.exec(clean))?.[1] ?? null;
}

function calculate(clean: string, comma: Comma, as: NumberKind): number | null {
  if (clean.length > LONGEST) return null;
  const negative = negativeOf(clean);
  const tokens = negative === null ? split(clean) : ['-', negative];
  if (!tokens || tokens.length === 0) return null;
  const [sign, plain] = tokens.length === 2 ? tokens : ['', tokens[0]];
  if (tokens.length <= 2 && plain !== undefined && /\d/.test(plain) && /^[-+]?$/.test(sign ?? '')) {
    const digits = decimalOf(plain, comma);
    return digits === null ? null : finite(sign === '-' ? `-${digits}` : digits);
  }
  const value = evaluate(tokens, comma);
  return value && finite(rounded(value, PLACES[as]));
}

/** Null if a double could not hold all of its digits. */
function finite(text: string): number | null {
  const digits = text.replace(/[-.]/g, '').replace(/^0+/, '');
  if (digits.replace(/0+$/, '').length > MOST_DIGITS || digits.length > 30) return null;
  const value = Number(text);
  return value === 0 ? 0 : value;
}

function split(clean: string): string[] | null {
  const tokens = clean.match(TOKENS) ?? [];
  return tokens.join('').replaceAll(' ', '') === clean.replaceAll(' ', '') ? tokens : null;
}

/** A number without grouping marks and with a decimal point; null if its marks are invalid. */
function decimalOf(token: string, comma: Comma): string | null {
  const marks = token.match(/[., ]/g) ?? [];
  const kinds = new Set(marks);
  const last = marks.at(-1);
  if (last === undefined) return token;
  const at = token.lastIndexOf(last);
  const [before, after] = [token.slice(0, at), token.slice(at + 1)];
  const once = marks.filter((mark) => mark === last).length === 1;
  if (kinds.size === 1 && !(once && last !== ' ')) return ungrouped(token, last);
  if (kinds.size > 2 || !once || last === ' ') return null;
  if (kinds.size === 2) {
    const other = marks.find((mark) => mark !== last) ?? '';
    const whole = ungrouped(before, other);
    return whole === null ? null : joined(whole, after);
  }
  const groups = last === ',' && /^[1-9]\d{0,2}$/.test(before) && /^\d{3}$/.test(after);
  return groups && comma === 'groups' ? before + after : joined(before, after);
}

const joined = (whole: string, decimals: string) =>
  decimals === '' ? whole : `${whole || '0'}.${decimals}`;

function ungrouped(text: string, mark: string): string | null {
  const [first = '', ...threes] = text.split(mark);
  const fine = /^[1-9]\d{0,2}$/.test(first) && threes.every((three) => /^\d{3}$/.test(three));
  return fine ? first + threes.join('') : null;
}

/** Fractions, so that 0.1+0.2 is 0.3. */
function evaluate(tokens: readonly string[], comma: Comma): Fraction | null {
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
    let left = operand();
    while (left && (tokens[at] === '*' || tokens[at] === '/')) {
      const times = tokens[at] === '*';
      at += 1;
      const right = operand();
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
  const operand = (): Fraction | null => {
    const token = tokens[at];
    at += 1;
    if (token === '-' || token === '+') {
      const of = operand();
      return of && (token === '-' ? [-of[0], of[1]] : of);
    }
    if (token === '(') {
      const inner = sum();
      if (tokens[at] !== ')') return null;
      at += 1;
      return inner;
    }
    return token === undefined ? null : fraction(token, comma);
  };
  const value = sum();
  return at === tokens.length ? value : null;
}

function fraction(token: string, comma: Comma): Fraction | null {
  const text = decimalOf(token, comma);
  const [whole = '', decimals = ''] = text?.split('.') ?? [];
  return /^\d+$/.test(whole) ? [BigInt(whole + decimals), 10n ** BigInt(decimals.length)] : null;
}

/** Half away from zero, as for all quantities. */
function rounded([top, bottom]: Fraction, places: number): string {
  const size = top < 0n ? -top : top;
  const scaled = (size * 10n ** BigInt(places) * 2n + bottom) / (bottom * 2n);
  const digits = String(scaled).padStart(places + 1, '0');
  return `${top < 0n ? '-' : ''}${digits.slice(0, -places)}.${digits.slice(-places)}`;
}

/** A number as digits with a decimal point, never with an exponent. */
export function plainNumber(value: number): string {
  const text = String(value === 0 ? 0 : value);
  if (!text.includes('e')) return text;
  return Math.abs(value) < 1 ? value.toFixed(20).replace(/\.?0+$/, '') : BigInt(value).toString();
}

function withCentavos(text: string): string {
  const [whole, decimals = ''] = text.split('.');
  return `${whole}.${decimals.padEnd(2, '0')}`;
}

function grouped(text: string): string {
  const [whole = '', decimals] = text.split('.');
  const threes = whole.replace(/\B(?=(\d{3})+$)/g, ',');
  return decimals === undefined ? threes : `${threes}.${decimals}`;
}
