/** Whether an override's days are now, to come, or over. */
export type Standing = 'now' | 'coming' | 'over';

interface Days {
  from: string;
  to: string;
}

export function standingOf({ from, to }: Days, today: string): Standing {
  if (to < today) return 'over';
  return from > today ? 'coming' : 'now';
}

/** Whether it still changes what is forecast. */
export const inForce = (days: Days, today: string): boolean => standingOf(days, today) !== 'over';
