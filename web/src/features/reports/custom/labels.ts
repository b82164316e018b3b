import type { PageKey } from '#/paths';
import { amount, change, count, percent, qty, short } from '#/ui/format';
import type { Figure, Schedule } from './types';

/** A figure's formatter. */
export function writer(figure: Figure): (value: number) => string {
  if (figure.rule === 'change') return (value) => change(value);
  switch (figure.type) {
    case 'share':
      return (value) => percent(value);
    case 'money':
      return amount;
    case 'qty':
      return qty;
    default:
      return figure.rule === 'avgPerDay' ? qty : count;
  }
}

/** The same for an axis. */
export const axis = (figure: Figure): ((value: number) => string) =>
  figure.type === 'share' ? (value) => percent(value, 0) : short;

/** The heading of a figure's column. */
export const headOf = (figure: Figure) =>
  figure.type === 'money' && !figure.label.includes('₱') ? `${figure.label} ₱` : figure.label;

/** The page a value links to, and the link's text. */
export const LEADS: Readonly<Record<string, { page: PageKey; label: string }>> = {
  store: { page: 'storesLocation', label: 'Open the store' },
  product: { page: 'product', label: 'Open the product' },
  order: { page: 'storesOrder', label: 'Open the order' },
  delivery: { page: 'commissaryDeliveryOne', label: 'Open the delivery' },
  receipt: { page: 'storesReceipt', label: 'Open the receipt' },
  waste: { page: 'storesWasteReport', label: 'Open the waste report' },
  reading: { page: 'salesZReadingOne', label: 'Open the Z-reading' },
};

export const DAYS = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'] as const;
export const EVERY_DAY = 127;

const two = (n: number) => String(n).padStart(2, '0');

/** Minutes after midnight as 07:00. */
export const clock = (minutes: number) => `${two(Math.floor(minutes / 60))}:${two(minutes % 60)}`;

/** 07:00 as minutes after midnight; null if it is not a time. */
export function minutesOf(text: string): number | null {
  const [, hours, minutes] = text.trim().match(/^(\d{1,2}):(\d{2})$/) ?? [];
  if (hours === undefined || minutes === undefined) return null;
  const [h, m] = [Number(hours), Number(minutes)];
  return h < 24 && m < 60 ? h * 60 + m : null;
}

/** A report's schedule: «Mon, Thu at 07:00». */
export function scheduleLabel(
  schedule: Pick<Schedule, 'every' | 'minutes' | 'weekdays' | 'monthDay'>,
): string {
  const at = `at ${clock(schedule.minutes)}`;
  if (schedule.every === 'month') return `Every month on day ${schedule.monthDay} ${at}`;
  if (schedule.weekdays === EVERY_DAY) return `Every day ${at}`;
  const days = DAYS.filter((_, i) => schedule.weekdays & (1 << i));
  return `${days.join(', ')} ${at}`;
}
