import { expect, test } from 'vitest';
import { childPath, minutesOf, scheduleLabel } from './labels';

test('describes schedules', () => {
  expect(scheduleLabel({ enabled: false, minutes: 0, weekdays: 127 })).toBe('By hand');
  expect(scheduleLabel({ enabled: true, minutes: 185, weekdays: 127 })).toBe('Every day at 03:05');
  expect(scheduleLabel({ enabled: true, minutes: 60, weekdays: 5 })).toBe('Mon, Wed at 01:00');
  expect(minutesOf('24:00')).toBeNull();
  expect(minutesOf('3:05')).toBe(185);
});

test('keeps a name with a dot as one step of a path', () => {
  expect(childPath('', 'data')).toBe('data');
  expect(childPath('data[]', 'net.total')).toBe('data[].net\\.total');
});
