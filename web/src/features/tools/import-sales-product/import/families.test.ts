import { expect, test } from 'vitest';
import type { SalesLine } from '../types';
import { belongingTo, inFamilies, nameOf, parentOf } from './families';

function line(place: number, name: string, parent: number | null, source = 'file'): SalesLine {
  return {
    source,
    lineNo: 2,
    place,
    parent,
    sourceItem: name,
    kind: 'sale',
    qty: 1,
    unitPrice: 0,
    discount: 0,
    net: 0,
    revision: 1,
  } as SalesLine;
}

test('lines stand below the one that they belong to', () => {
  const fries = line(0, 'Fries', 2);
  const tea = line(1, 'Tea', null);
  const combo = line(2, 'Combo', null);
  const coke = line(3, 'Coke', 2);
  const other = line(0, 'Other combo', null, 'api');
  const lost = line(1, 'Lost', 7, 'api');
  const day = [fries, tea, combo, coke, other, lost];
  expect(inFamilies(day).map(nameOf)).toEqual([
    'Tea',
    'Combo',
    'Fries',
    'Coke',
    'Other combo',
    'Lost',
  ]);
  expect(parentOf(day, coke)).toBe(combo);
  expect(parentOf(day, lost)).toBeNull();
  expect(belongingTo(day, combo)).toEqual([fries, coke]);
  expect(belongingTo(day, other)).toEqual([]);
});
