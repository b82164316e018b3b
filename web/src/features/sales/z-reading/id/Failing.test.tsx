import { render, screen } from '@testing-library/react';
import { expect, it } from 'vitest';
import type { Equation } from '../equations';
import { Failing, summary } from './Failing';

const sum = (name: string, holds: boolean): Equation => ({
  name,
  holds,
  left: 'Net ₱1,121.00',
  right: 'Gross less deductions ₱1,120.00',
  fields: ['net'],
});

it.each([
  [[true, true], null, 'Slip adds up'],
  [[true, true], -37_916, 'Slip adds up; imported sales differ by ₱37,916.00'],
  [[true, false], null, '1 of 2 sums does not agree'],
  [[false, false], 5, '2 of 2 sums do not agree; imported sales differ by ₱5.00'],
  [[], 5, 'Imported sales differ by ₱5.00'],
  [[], null, ''],
])('sums that hold: %o, sales less the reading: %s', (holds, salesDiffer, words) => {
  expect(
    summary(
      holds.map((one, at) => sum(`${at}`, one)),
      salesDiffer,
    ),
  ).toBe(words);
});

it('shows only what fails, and that sales are not compared yet', () => {
  render(
    <Failing
      all={[sum('net', false), sum('vat', true)]}
      reading={{ uncompared: '1 of 2 readings' }}
    />,
  );
  expect(screen.getAllByRole('listitem')).toHaveLength(1);
  expect(screen.getByText('Imported sales are not compared yet: 1 of 2 readings.')).toBeTruthy();
});
