import { expect, it } from 'vitest';
import { clock, STARTS } from './api';

it('offers the quarters of an hour from midnight to noon', () => {
  expect(STARTS).toHaveLength(49);
  expect(STARTS[0]).toEqual({ value: '0', label: '00:00 (midnight)' });
  expect(STARTS[21]).toEqual({ value: '315', label: '05:15' });
  expect(STARTS.at(-1)).toEqual({ value: '720', label: '12:00' });
  expect(clock(420)).toBe('07:00');
});
