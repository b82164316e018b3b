import { day, plural } from '#/ui/format';
import { StatusPill } from '#/ui/StatusPill';

/** A lot expires soon this many days before its last one. */
export const SOON = 7;

/** A lot's last day, and how near it is. */
export function Expiry({ expiry, daysLeft }: { expiry?: string | null; daysLeft?: number | null }) {
  if (!expiry) return '–';
  if (daysLeft == null || daysLeft > SOON) return day(expiry);
  return (
    <>
      {day(expiry)}{' '}
      <StatusPill tone={daysLeft < 0 ? 'danger' : 'warn'}>{nearness(daysLeft)}</StatusPill>
    </>
  );
}

export function nearness(daysLeft: number): string {
  if (daysLeft < 0) return 'Expired';
  if (daysLeft === 0) return 'Last day';
  return `${plural(daysLeft, 'day')} left`;
}
