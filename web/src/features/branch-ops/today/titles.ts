// Titles of the cards of the start page. After midnight the count that is due is yesterday's, while sales are today's.
import { shortDay } from '#/ui/format';
import type { BranchToday } from '../types';

const SESSION: Record<string, string> = {
  opening: 'Opening count',
  closing: 'Closing count',
  whole: 'Count',
};

type Dated = Pick<BranchToday, 'date'> & {
  count: Pick<BranchToday['count'], 'date' | 'due' | 'finished'>;
};

/** The day of the count, where it is another one than today. */
const ofDay = ({ date, count }: Dated) =>
  count.date === date ? '' : ` of ${shortDay(count.date)}`;

export function countTitle(today: Dated): string {
  const { due, finished } = today.count;
  if (finished) return `Count${ofDay(today)} finished`;
  return due ? `${SESSION[due] ?? 'Count'}${ofDay(today)} due` : 'No count is due';
}

export const salesTitle = (today: Dated): string =>
  today.count.date === today.date ? 'Sales so far' : `Sales so far on ${shortDay(today.date)}`;
