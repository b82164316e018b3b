/** Whether an override's days are current, upcoming or past. */
export type Standing = 'now' | 'coming' | 'over';

interface Days {
  from: string;
  to: string;
}

export function standingOf({ from, to }: Days, today: string): Standing {
  if (to < today) return 'over';
  return from > today ? 'coming' : 'now';
}

/** Whether it still affects forecasts. */
export const inForce = (days: Days, today: string): boolean => standingOf(days, today) !== 'over';
