// Texts for people, devices and times.
import { day, moment } from '#/ui/format';

/** AC for Ana Cruz; the first letter of an address when there is no name. */
export function initials(name: string, email = ''): string {
  const words = name.trim().split(/\s+/).filter(Boolean);
  const first = words[0]?.[0] ?? email.trim()[0] ?? '?';
  const last = words.length > 1 ? (words.at(-1)?.[0] ?? '') : '';
  return (first + last).toUpperCase();
}

/** The first name, or «this person». */
export const firstName = (name: string) => name.trim().split(/\s+/)[0] || 'this person';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** «5 min ago», and the date once it is older than a week. */
export function timeAgo(value: string | null | undefined, now = Date.now()): string {
  if (!value) return 'Never';
  const at = Date.parse(value);
  if (Number.isNaN(at)) return 'Never';
  const past = now - at;
  if (past < MINUTE) return 'Just now';
  if (past < HOUR) return `${Math.floor(past / MINUTE)} min ago`;
  if (past < DAY) return `${Math.floor(past / HOUR)} h ago`;
  const days = Math.floor(past / DAY);
  if (days === 1) return 'Yesterday';
  return days < 7 ? `${days} days ago` : day(manilaDay(at));
}

/** The date in the stores' zone (UTC+8), as YYYY-MM-DD. */
export function manilaDay(at: number): string {
  return new Date(at + 8 * HOUR).toISOString().slice(0, 10);
}

/** «Today», «Yesterday» or the date, for headings. */
export function dayLabel(value: string, now = Date.now()): string {
  const then = manilaDay(Date.parse(value));
  if (then === manilaDay(now)) return 'Today';
  if (then === manilaDay(now - DAY)) return 'Yesterday';
  return day(then);
}

/** A time: «14:05». */
export const clockOf = (value: string) => moment(value).split(', ').at(-1) ?? '';

export interface Device {
  words: string;
  form: 'computer' | 'phone' | 'tablet' | 'program';
}

const BROWSERS: readonly [RegExp, string][] = [
  [/\bEdg(?:e|A|iOS)?\//, 'Edge'],
  [/\bOPR\/|\bOpera\b/, 'Opera'],
  [/\bSamsungBrowser\//, 'Samsung Internet'],
  [/\bFirefox\/|\bFxiOS\//, 'Firefox'],
  [/\bHeadlessChrome\/|\bChrome\/|\bChromium\/|\bCriOS\//, 'Chrome'],
  [/\bSafari\//, 'Safari'],
];

const PROGRAMS: readonly [RegExp, string][] = [
  [/^curl\//i, 'curl'],
  [/^python-requests|^python|aiohttp|httpx/i, 'Python program'],
  [/^node|undici|axios/i, 'Node program'],
  [/^okhttp|^Dart\//i, 'Mobile app'],
  [/^Go-http-client/i, 'Go program'],
  [/^PostmanRuntime/i, 'Postman'],
];

/** «Chrome on Windows», from a user agent. */
export function describeDevice(userAgent: string | null | undefined): Device {
  const text = (userAgent ?? '').trim();
  if (!text) return { words: 'Unknown device', form: 'computer' };
  const program = PROGRAMS.find(([pattern]) => pattern.test(text));
  if (program) return { words: program[1], form: 'program' };
  const browser = BROWSERS.find(([pattern]) => pattern.test(text))?.[1];
  const place = system(text);
  if (!browser && !place) return { words: text.slice(0, 60), form: 'program' };
  const words = [browser ?? 'A browser', place?.name && `on ${place.name}`].filter(Boolean);
  return { words: words.join(' '), form: place?.form ?? 'computer' };
}

function system(text: string): { name: string; form: Device['form'] } | null {
  if (/\biPhone\b|\biPod\b/.test(text)) return { name: 'iPhone', form: 'phone' };
  if (/\biPad\b/.test(text)) return { name: 'iPad', form: 'tablet' };
  if (/\bAndroid\b/.test(text)) {
    return /\bMobile\b/.test(text)
      ? { name: 'Android phone', form: 'phone' }
      : { name: 'Android tablet', form: 'tablet' };
  }
  if (/\bWindows\b/.test(text)) return { name: 'Windows', form: 'computer' };
  if (/\bCrOS\b/.test(text)) return { name: 'ChromeOS', form: 'computer' };
  if (/\bMac OS X\b|\bMacintosh\b/.test(text)) return { name: 'Mac', form: 'computer' };
  if (/\bLinux\b|\bX11\b/.test(text)) return { name: 'Linux', form: 'computer' };
  return null;
}

export const providerLabel = (provider: string) =>
  provider === 'google.com' ? 'Google' : provider === 'password' ? 'Password' : provider;

/** The same in the middle of a sentence. */
export const providerInText = (provider: string) =>
  provider === 'password' ? 'password' : providerLabel(provider);

export const kindLabel = (kind: string) =>
  ({ office: 'Office', tablet: 'Store tablet', client: 'API client' })[kind] ?? kind;

type EventTone = 'ok' | 'warn' | 'danger' | 'neutral';

const EVENTS: Record<string, [string, EventTone]> = {
  signedIn: ['Signed in', 'ok'],
  signedOut: ['Signed out', 'neutral'],
  signInFailed: ['Sign-in failed', 'warn'],
  lockedOut: ['Locked out', 'danger'],
  resetAsked: ['Password reset asked for', 'neutral'],
  resetSent: ['Reset link sent', 'neutral'],
  passwordSet: ['Password set', 'neutral'],
  passwordChanged: ['Password changed', 'neutral'],
  googleRefused: ['Google sign-in refused', 'warn'],
  tokenReused: ['Used token tried again', 'danger'],
  totpOn: ['Two-step sign-in on', 'ok'],
  totpOff: ['Two-step sign-in off', 'warn'],
  reauthenticated: ['Confirmed by password', 'neutral'],
  deviceNew: ['New device', 'warn'],
  grantRefused: ['Grant refused', 'danger'],
  changeRefused: ['Change refused', 'warn'],
  applied: ['Applied again', 'neutral'],
  sessionEnded: ['Session ended', 'neutral'],
  sessionsEnded: ['Signed out everywhere', 'neutral'],
};

export function eventText(name: string): { words: string; tone: EventTone } {
  const known = EVENTS[name];
  if (known) return { words: known[0], tone: known[1] };
  const words = name.replace(/([A-Z])/g, (letter) => ` ${letter.toLowerCase()}`);
  return { words: words.charAt(0).toUpperCase() + words.slice(1), tone: 'neutral' };
}

/** Details of an event besides its name. */
export function eventDetail(detail: Record<string, unknown> | null | undefined): string {
  const { detail: said, why, by, provider, temporary, seconds, factor, mailed } = detail ?? {};
  return [
    said,
    why,
    provider === 'google.com' && 'with Google',
    temporary === true && 'temporary',
    factor === 'totp' && 'wrong code',
    typeof seconds === 'number' && `for ${Math.ceil(seconds / 60)} min`,
    mailed === true && 'by mail',
    typeof by === 'string' && by !== 'owner' && `by ${by}`,
  ]
    .filter((text) => typeof text === 'string' && text)
    .join(' · ');
}
