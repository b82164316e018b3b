import { expect, it } from 'vitest';
import type { Calendar, CalendarDay } from './api';
import { isOf, readingsOf } from './calendar';

const day = (state: string, counts: Partial<CalendarDay>) =>
  ({ state, missing: 0, waiting: 0, disputed: 0, ...counts }) as CalendarDay;

// A day of three tills, one of them without a reading, and a day with two readings to review.
const days = [
  day('missing', { missing: 1, waiting: 1, disputed: 1 }),
  day('waiting', { waiting: 2 }),
];
const stores = [{ storeId: 's', storeName: 'Cubao', days }] as unknown as Calendar['stores'];

it('counts readings, not days', () => {
  expect(
    (['missing', 'waiting', 'disputed'] as const).map((kind) => readingsOf({ stores }, kind)),
  ).toEqual([1, 3, 1]);
});

it('finds a day by each of its readings', () => {
  expect(days.map((one) => isOf(one, 'waiting'))).toEqual([true, true]);
  expect(days.map((one) => isOf(one, 'disputed'))).toEqual([true, false]);
  expect(days.map((one) => isOf(one, ''))).toEqual([false, false]);
});
