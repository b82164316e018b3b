// Business dates are plain `YYYY-MM-DD` texts; their arithmetic involves no time zone.

const MS = 86_400_000;

export function toNumber(day: string): number {
  return Math.round(Date.parse(`${day}T00:00:00Z`) / MS);
}

export function fromNumber(days: number): string {
  return new Date(days * MS).toISOString().slice(0, 10);
}

export function addDays(day: string, n: number): string {
  return fromNumber(toNumber(day) + n);
}

/** Today in the stores' zone. */
export function today(now: Date = new Date()): string {
  return new Date(now.getTime() + 8 * 3_600_000).toISOString().slice(0, 10);
}

/** The Monday of the week. */
export function monday(day: string): string {
  const n = toNumber(day);
  return fromNumber(n - ((((n + 3) % 7) + 7) % 7));
}

export function firstOfMonth(day: string): string {
  return `${day.slice(0, 7)}-01`;
}

export function addMonths(day: string, n: number): string {
  const at = new Date(`${firstOfMonth(day)}T00:00:00Z`);
  at.setUTCMonth(at.getUTCMonth() + n);
  return at.toISOString().slice(0, 10);
}

export function daysBetween(from: string, to: string): string[] {
  const days: string[] = [];
  for (let n = toNumber(from); n <= toNumber(to) && days.length < 3700; n += 1) {
    days.push(fromNumber(n));
  }
  return days;
}

export function isDay(text: string | null | undefined): text is string {
  if (!/^\d{4}-\d\d-\d\d$/.test(text ?? '') || Number.isNaN(Date.parse(`${text}T00:00:00Z`))) {
    return false;
  }
  // 31 February would become a day in March.
  return fromNumber(toNumber(text ?? '')) === text;
}

export interface Range {
  from: string;
  to: string;
}

export interface Preset {
  label: string;
  range(now: string): Range;
}

export const presets: readonly Preset[] = [
  {
    label: 'Last 7 days',
    range: (now) => ({ from: addDays(now, -7), to: addDays(now, -1) }),
  },
  {
    label: 'This week',
    range: (now) => ({ from: monday(now), to: addDays(monday(now), 6) }),
  },
  {
    label: 'Last 4 weeks',
    range: (now) => ({ from: addDays(monday(now), -28), to: addDays(monday(now), -1) }),
  },
  {
    label: 'Last 12 weeks',
    range: (now) => ({ from: addDays(monday(now), -84), to: addDays(monday(now), -1) }),
  },
  {
    label: 'This month',
    range: (now) => ({ from: firstOfMonth(now), to: addDays(addMonths(now, 1), -1) }),
  },
  {
    label: 'Last month',
    range: (now) => ({ from: addMonths(now, -1), to: addDays(firstOfMonth(now), -1) }),
  },
  {
    label: 'This year',
    range: (now) => ({ from: `${now.slice(0, 4)}-01-01`, to: `${now.slice(0, 4)}-12-31` }),
  },
  {
    label: 'Last year',
    range: (now) => {
      const year = Number(now.slice(0, 4)) - 1;
      return { from: `${year}-01-01`, to: `${year}-12-31` };
    },
  },
];

/** The day of an address's year, month and day, padded or not; null if there is no such day. */
export function dayOf(year: string, month: string, date: string): string | null {
  if (!/^\d{4}$/.test(year) || !/^\d{1,2}$/.test(month) || !/^\d{1,2}$/.test(date)) return null;
  const text = `${year}-${month.padStart(2, '0')}-${date.padStart(2, '0')}`;
  return isDay(text) ? text : null;
}

const MONTHS = 'jan feb mar apr may jun jul aug sep oct nov dec'.split(' ');

/**
 * A typed date as `YYYY-MM-DD`; null if it is not a date. It accepts 2026-11-24, 24 Nov 2026, Nov
 * 24, 2026, and digits with only one possible order: 24/11/2026 and 11/24/2026, but not 3/4/2026.
 */
export function readDay(text: string): string | null {
  const parts = text
    .trim()
    .toLowerCase()
    .split(/[\s,./-]+/)
    .filter(Boolean);
  const [a = '', b = '', c = ''] = parts;
  if (parts.length !== 3) return null;
  const month = (word: string) =>
    /^[a-z]{3,}$/.test(word) ? MONTHS.indexOf(word.slice(0, 3)) + 1 : 0;
  if (/^\d{4}$/.test(a)) return dayOf(a, String(month(b) || b), c);
  if (!/^\d{4}$/.test(c)) return null;
  if (month(b)) return dayOf(c, String(month(b)), a);
  if (month(a)) return dayOf(c, String(month(a)), b);
  const [one, other] = [dayOf(c, b, a), dayOf(c, a, b)];
  return one && other && one !== other ? null : (one ?? other);
}
