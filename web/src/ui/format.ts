// How numbers and dates are written everywhere: a real minus, tabular, a missing one is «–».

export const MISSING = '–';
const MINUS = '−';

const number = (digits: number, least = 0) =>
  new Intl.NumberFormat('en-US', {
    minimumFractionDigits: least,
    maximumFractionDigits: digits,
  });
const plain = number(6);
const cents = number(2, 2);
const whole = number(0);
const compact = new Intl.NumberFormat('en-US', { notation: 'compact', maximumFractionDigits: 1 });

type Maybe = number | null | undefined;

function signed(text: string): string {
  return text === '-0' ? '0' : text.replace('-', MINUS);
}

/** A quantity without trailing zeros. */
export function qty(value: Maybe): string {
  return value == null ? MISSING : signed(plain.format(value));
}

export function count(value: Maybe): string {
  return value == null ? MISSING : signed(whole.format(value));
}

/** ₱1,234.50 */
export function money(value: Maybe): string {
  return value == null
    ? MISSING
    : signed(`${value < 0 ? '-' : ''}₱${cents.format(Math.abs(value))}`);
}

/** 1,234.50, for a column whose head already says ₱. */
export function amount(value: Maybe): string {
  return value == null ? MISSING : signed(cents.format(value));
}

/** 6.4M, for axes and tiles. */
export function short(value: Maybe): string {
  return value == null ? MISSING : signed(compact.format(value));
}

/** A share as 12.3%. */
export function percent(value: Maybe, digits = 1): string {
  return value == null ? MISSING : signed(`${(value * 100).toFixed(digits)}%`);
}

/** A change as +12.3% or −4%. */
export function change(value: Maybe, digits = 1): string {
  if (value == null) return MISSING;
  return `${value > 0 ? '+' : ''}${percent(value, digits)}`;
}

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

/** `2026-11-20` → `20 Nov 2026`; a business date has no time zone, so none is applied. */
export function day(value: string | null | undefined): string {
  const [year, month, date] = (value ?? '').slice(0, 10).split('-').map(Number);
  const name = MONTHS[(month ?? 0) - 1];
  return year && name && date ? `${date} ${name} ${year}` : MISSING;
}

/** `20 Nov`, for axes and heads. */
export function shortDay(value: string): string {
  return day(value).split(' ').slice(0, 2).join(' ');
}

const clock = new Intl.DateTimeFormat('en-GB', {
  timeZone: 'Asia/Manila',
  day: 'numeric',
  month: 'short',
  year: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
});

/** An instant, as the clocks of the stores show it. */
export function moment(value: string | null | undefined): string {
  if (!value) return MISSING;
  const at = new Date(value);
  return Number.isNaN(at.getTime()) ? MISSING : clock.format(at).replace(' at ', ', ');
}

/** Bytes as 1.2 MB. */
export function bytes(value: number): string {
  if (value < 1000) return `${value} B`;
  if (value < 1_000_000) return `${(value / 1000).toFixed(0)} kB`;
  return `${(value / 1_000_000).toFixed(1)} MB`;
}

/** 1 store, 2 stores. */
export function plural(n: number, one: string, many = `${one}s`): string {
  return `${count(n)} ${n === 1 ? one : many}`;
}

/**
 * What someone typed as a number, exactly as the server will read it: digits with one decimal point
 * or comma. Null when it is no number.
 */
export function parseDecimal(text: string): number | null {
  const bare = text.trim().replace(MINUS, '-').replace(/[\s₱]/g, '');
  // 1,234.50 and 1,234,567 group by commas; 1,5 is a decimal comma.
  const grouped = /^-?\d{1,3}(,\d{3})+\.\d+$|^-?\d{1,3}(,\d{3}){2,}$/.test(bare);
  const clean = grouped ? bare.replaceAll(',', '') : bare.replace(',', '.');
  return /^-?(\d+\.?\d*|\.\d+)$/.test(clean) ? Number(clean) : null;
}
