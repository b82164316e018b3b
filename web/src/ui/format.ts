// How numbers and dates are formatted everywhere: a real minus, tabular, a missing one is «–».

export const MISSING = '–';
/** Between parts of a text. A line may end before the dot, not after it. */
export const DOT = ' ·\u00a0';
/** A text with such dots, from the server. */
export const withDots = (text: string): string => text.replaceAll(' · ', DOT);
const MINUS = '−';

const number = (digits: number, least = 0) =>
  new Intl.NumberFormat('en-US', {
    minimumFractionDigits: least,
    maximumFractionDigits: digits,
  });
const DECIMALS = 3;
const plain = number(DECIMALS);
/** As many decimals as a factor is kept with. */
const full = number(9);
/** The smallest quantity that is not written as zero. */
const LEAST = 10 ** -DECIMALS;
/** Quantities are kept in millionths: less than half of one is an error of the calculation. */
const NOISE = 0.5e-6;
const cents = number(2, 2);
const whole = number(0);
const compact = new Intl.NumberFormat('en-US', { notation: 'compact', maximumFractionDigits: 1 });

type Maybe = number | null | undefined;

/** Nothing to show: missing, or the result of a calculation with something missing. */
const isMissing = (value: Maybe): value is null | undefined =>
  value == null || !Number.isFinite(value);

function signed(text: string): string {
  return text === '-0' ? '0' : text.replace('-', MINUS);
}

/**
 * A quantity with at most three decimals, without trailing zeros. One that would round to zero
 * is written as «<0.001», or «>−0.001» below zero.
 */
export function qty(value: Maybe): string {
  if (isMissing(value)) return MISSING;
  const size = Math.abs(value);
  if (size >= NOISE && size < LEAST / 2) return value > 0 ? `<${LEAST}` : `>${MINUS}${LEAST}`;
  return signed(plain.format(value));
}

/** A number with all its decimals: a factor of a conversion, or what was entered in a record. */
export function inFull(value: Maybe): string {
  return isMissing(value) ? MISSING : signed(full.format(value));
}

/** Whether a function writes quantities, which add up within one unit only. */
export const isQuantity = (write: unknown): boolean => write === qty || write === signedQty;

/** Whether a function writes pesos. */
export const isPesos = (write: unknown): boolean =>
  [amount, money, signedAmount, signedMoney].some((one) => one === write);

/** A quantity in full if `write` rounds it, for a tooltip; undefined for every other number. */
export function unrounded(write: unknown, value: unknown): string | undefined {
  if (!isQuantity(write) || typeof value !== 'number') return undefined;
  const all = inFull(value);
  return all === qty(value) || Math.abs(value) < NOISE ? undefined : all;
}

export function count(value: Maybe): string {
  return isMissing(value) ? MISSING : signed(whole.format(value));
}

/** ₱1,234.50 */
export function money(value: Maybe): string {
  return isMissing(value)
    ? MISSING
    : signed(`${value < 0 ? '-' : ''}₱${cents.format(Math.abs(value))}`);
}

/** 1,234.50, for a column whose heading already has ₱. */
export function amount(value: Maybe): string {
  return isMissing(value) ? MISSING : signed(cents.format(value));
}

/** A difference with its sign: +3, −2. */
export const signedQty = (value: Maybe) => withPlus(value, qty(value));

/** The same in pesos, for a column whose heading already has ₱. */
export const signedAmount = (value: Maybe) => withPlus(value, amount(value));

/** +₱1,234.50 */
export const signedMoney = (value: Maybe) => withPlus(value, money(value));

/** Text that rounds to nothing is no gain, and «<0.001» has its sign already. */
function withPlus(value: Maybe, text: string): string {
  return !isMissing(value) && value > 0 && /^[^<]*[1-9]/.test(text) ? `+${text}` : text;
}

/** 6.4M, for axes and tiles. */
export function short(value: Maybe): string {
  return isMissing(value) ? MISSING : signed(compact.format(value));
}

/** A share as 12.3%. */
export function percent(value: Maybe, digits = 1): string {
  return isMissing(value) ? MISSING : signed(`${(value * 100).toFixed(digits)}%`);
}

/** A change as +12.3% or −4%. */
export function change(value: Maybe, digits = 1): string {
  if (isMissing(value)) return MISSING;
  return `${value > 0 ? '+' : ''}${percent(value, digits)}`;
}

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

/** `2026-11-20` → `20 Nov 2026`; a business date has no time zone, so none is applied. */
export function day(value: string | null | undefined): string {
  const [year, month, date] = (value ?? '').slice(0, 10).split('-').map(Number);
  const name = MONTHS[(month ?? 0) - 1];
  return year && name && date ? `${date} ${name} ${year}` : MISSING;
}

/** `20 Nov`, for axes and headings. */
export function shortDay(value: string): string {
  return day(value).split(' ').slice(0, 2).join(' ');
}

/** An instant in the stores' zone: UTC+8 all year. */
export function moment(value: string | null | undefined): string {
  const at = new Date(value ?? '').getTime();
  if (Number.isNaN(at)) return MISSING;
  const there = new Date(at + 8 * 3_600_000).toISOString();
  return `${day(there)}, ${there.slice(11, 16)}`;
}

/** Bytes as 1.2 MB. */
export function bytes(value: number): string {
  if (isMissing(value)) return MISSING;
  if (value < 1000) return `${value} B`;
  if (value < 1_000_000) return `${(value / 1000).toFixed(0)} kB`;
  return `${(value / 1_000_000).toFixed(1)} MB`;
}

/** 1 store, 2 stores. */
export function plural(n: number, one: string, many = `${one}s`): string {
  return `${count(n)} ${n === 1 ? one : many}`;
}

/** 1 piece, 2.5 pieces. */
export function pluralQty(n: number, one: string, many = `${one}s`): string {
  return `${qty(n)} ${n === 1 ? one : many}`;
}

/** A figure's unit beside its value: days are counted, and codes of units have no plural. */
export function unitOf(value: number, unit: string | null | undefined): string {
  return unit === 'days' && value === 1 ? 'day' : (unit ?? '');
}
