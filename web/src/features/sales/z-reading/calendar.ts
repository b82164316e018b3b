import type { Calendar, CalendarDay } from './api';

/** What the calendar can be narrowed to. */
export const NARROWS = ['missing', 'disputed', 'waiting'] as const;
type Narrow = (typeof NARROWS)[number];

const isNarrow = (only: string): only is Narrow => NARROWS.some((name) => name === only);

/** Whether a day has such a reading, or lacks one; a day may be of several kinds. */
export const isOf = (cell: CalendarDay, only: string): boolean => isNarrow(only) && cell[only] > 0;

/** How many readings there are of a kind, as in the list: a day has one for each till. */
export const readingsOf = (data: Pick<Calendar, 'stores'> | undefined, kind: Narrow): number =>
  (data?.stores ?? []).flatMap(({ days }) => days).reduce((sum, cell) => sum + cell[kind], 0);
