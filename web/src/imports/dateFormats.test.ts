import { expect, it } from 'vitest';
import { readDate } from './dateFormats';

it('shows how a date is parsed', () => {
  expect(readDate('03/08/19 20:25', 'dmy')).toBe('3 Aug 2019');
  expect(readDate('03/08/19 20:25', 'mdy')).toBe('8 Mar 2019');
  expect(readDate('2016-10-30', 'ymd')).toBe('30 Oct 2016');
  expect(readDate('31/02/19', 'dmy')).toBeNull();
  expect(readDate('43680', 'excel')).toBe('3 Aug 2019');
});
