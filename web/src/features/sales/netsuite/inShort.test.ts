import { expect, it } from 'vitest';
import { inShort } from './DayTable';

const long = (n: number) => `${'x'.repeat(n - 1)}.`;

it.each([
  [[], ''],
  [['Z not verified.', 'Till 02 has no Z-reading.'], 'Z not verified. Till 02 has no Z-reading.'],
  [[long(80), long(60), long(20)], `${long(80)} 2 more.`],
  [[long(300)], 'Open it to read why.'],
])('whole sentences, and how many are left: %#', (sentences, words) => {
  expect(inShort(sentences)).toBe(words);
});
