// Which count is due now. Days are business days in UTC+8, and a closing count after midnight belongs
// to the day it began.
import { addDays, today } from '#/ui/dates';
import type { Scope, Session, Settings } from './types';

const DAY = 24 * 60;
const CLOSING_FROM = 14 * 60;

export const DEFAULTS: Settings = {
  restrictDate: true,
  timeLockEnabled: true,
  enforceTimeWindow: true,
  autoSessionByTime: true,
  userLockEnabled: true,
  blind: false,
  openingFrom: 300,
  openingTo: 660,
  closingFrom: 1080,
  closingTo: 1560,
};

/** Minutes since midnight where the stores are. */
export function minuteOf(now: Date): number {
  const there = new Date(now.getTime() + 8 * 3_600_000);
  return there.getUTCHours() * 60 + there.getUTCMinutes();
}

/** The most likely day and session of a count at this time. */
export function dueCount(settings: Settings, now: Date): { date: string; session: Session } {
  const date = today(now);
  const minute = minuteOf(now);
  if (minute < settings.closingTo - DAY) return { date: addDays(date, -1), session: 'closing' };
  if (!settings.autoSessionByTime) return { date, session: '' };
  return { date, session: minute < CLOSING_FROM ? 'opening' : 'closing' };
}

export interface Window {
  from: number;
  to: number;
}

export function windowOf(settings: Settings, session: Session): Window | null {
  if (session === 'opening') return { from: settings.openingFrom, to: settings.openingTo };
  if (session === 'closing') return { from: settings.closingFrom, to: settings.closingTo };
  return null;
}

/** Whether a count entered now is inside its time window. */
export function isInWindow(settings: Settings, { date, session }: Scope, now: Date): boolean {
  const window = windowOf(settings, session);
  if (!window || !settings.enforceTimeWindow) return true;
  const days = Math.round((Date.parse(today(now)) - Date.parse(date)) / 86_400_000);
  const minute = minuteOf(now) + days * DAY;
  return minute >= window.from && minute < window.to;
}

/** 1560 → 02:00. */
export function formatMinute(minute: number): string {
  const within = ((minute % DAY) + DAY) % DAY;
  return `${pad(Math.floor(within / 60))}:${pad(within % 60)}`;
}

/** The time of day of an instant in the stores' zone. */
export function timeOf(at: string | number): string {
  const date = new Date(at);
  return Number.isNaN(date.getTime()) ? '' : formatMinute(minuteOf(date));
}

const pad = (n: number) => String(n).padStart(2, '0');

export const SESSION_WORD: Record<Session, string> = {
  '': 'Whole day',
  opening: 'Opening',
  closing: 'Closing',
};
