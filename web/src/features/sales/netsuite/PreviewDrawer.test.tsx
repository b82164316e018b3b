// @vitest-environment jsdom
import { MantineProvider } from '@mantine/core';
import { render, screen, within } from '@testing-library/react';
import { expect, it } from 'vitest';
import type { Preview } from './api';
import { Rows } from './PreviewDrawer';

const preview: Preview = {
  externalId: 'CS-MKT',
  columns: ['External ID', 'Item', 'Amount'],
  rows: [
    ['CS-MKT', 'VATable sales', '1050'],
    ['CS-MKT', 'Other discount', '-50.5'],
  ],
  total: 1_120,
  net: 1_120,
  rounding: 0,
  reasons: [],
};

const show = (preview: Preview) =>
  render(
    <MantineProvider env="test">
      <Rows preview={preview} once />
    </MantineProvider>,
  );
const heads = () => screen.getAllByRole('columnheader').map(({ textContent }) => textContent);

it('shows once what all rows of a record have in common', () => {
  show(preview);
  expect(heads()).toEqual(['Item', 'Amount']);
  expect(within(screen.getByLabelText('The same in each row')).getByText('CS-MKT')).toBeTruthy();
  const cell = screen.getByRole('cell', { name: '-50.5' });
  expect(cell.hasAttribute('data-number')).toBe(true);
});

it('keeps the columns of a record with one line', () => {
  show({ ...preview, rows: preview.rows.slice(0, 1) });
  expect(heads()).toEqual(preview.columns);
});
