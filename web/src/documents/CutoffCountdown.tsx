import { useEffect, useState } from 'react';
import { DOT, moment } from '#/ui/format';
import classes from './CutoffCountdown.module.css';

const MINUTE = 60_000;

/** `2 d 3 h`, `3 h 20 min`, `12 min` */
export function timeLeft(ms: number): string {
  const minutes = Math.floor(ms / MINUTE);
  const [days, hours] = [Math.floor(minutes / 1440), Math.floor((minutes % 1440) / 60)];
  if (days > 0) return `${days} d ${hours} h`;
  if (hours > 0) return `${hours} h ${minutes % 60} min`;
  return `${Math.max(0, minutes)} min`;
}

/** An order's cut-off, and the time left. */
export function CutoffCountdown({ at }: { at: string }) {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), MINUTE / 2);
    return () => clearInterval(timer);
  }, []);
  const left = Date.parse(at) - now;
  return (
    <p
      className={classes.countdown}
      data-tone={left < 0 ? 'over' : left < 120 * MINUTE ? 'soon' : undefined}
    >
      {left < 0
        ? `Cut-off was ${moment(at)}`
        : `Order by ${moment(at)}${DOT}${timeLeft(left)} left`}
    </p>
  );
}
