import { expect, test } from 'vitest';
import { squeeze } from './squeeze';

test('a table that misses its place by a little is squeezed into it', () => {
  const scale = squeeze(1360, 84, 1314);
  expect(84 + (1360 - 84) * scale).toBeCloseTo(1314);
  expect(squeeze(1328, 0, 1314)).toBeCloseTo(0.9895, 4);
});

test('one that fits, or is much too wide, keeps its widths', () => {
  expect(squeeze(1200, 84, 1314)).toBe(1);
  expect(squeeze(1314, 84, 1314)).toBe(1);
  expect(squeeze(1900, 84, 1314)).toBe(1);
});

test('nothing is squeezed before the place is measured', () => {
  expect(squeeze(1328, 84, 0)).toBe(1);
});
