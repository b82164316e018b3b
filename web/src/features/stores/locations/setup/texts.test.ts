import { expect, it } from 'vitest';
import type { SetupItem } from './api';
import { lines } from './texts';

const priceLevel: SetupItem = { key: 'priceLevel', done: false, neededFor: ['order'] };
const people: SetupItem = { key: 'people', done: true, neededFor: ['order', 'count'] };
const openingDays: SetupItem = { key: 'openingDays', done: false, neededFor: [] };

it('lists what is done and what is missing, with what it is needed for', () => {
  const shown = lines([priceLevel, people, openingDays]);
  expect(shown?.map(({ label, done, note }) => [label, done, note])).toEqual([
    ['Price level', false, 'Needed to order'],
    ['People who work here', true, 'Needed to order and to count'],
    ['Opening days', false, 'Open every day until you say otherwise'],
  ]);
  expect(shown?.[0]?.goal).toEqual({ field: 'priceLevelId' });
});

it('goes away once the store can work', () => {
  expect(lines([{ ...priceLevel, done: true }, people, openingDays])).toBeNull();
});
