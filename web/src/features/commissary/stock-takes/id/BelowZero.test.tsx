// @vitest-environment jsdom
import { MantineProvider } from '@mantine/core';
import { fireEvent, render, screen } from '@testing-library/react';
import { expect, it, vi } from 'vitest';
import { BelowZero, BelowZeroNote } from './BelowZero';
import { rowsOf } from './sheet';

const line = {
  id: 'l1',
  position: 1,
  productId: 'dough',
  name: 'Dough',
  uomId: 'kg',
  uomCode: 'kg',
  factor: 1,
  factorToBase: 1,
};
const rows = rowsOf([line, { ...line, id: 'l2', lot: 'D-1' }], []);
const below = rows.map((row, i) => ({ row, book: -3 - i }));

const show = (posted: boolean, onZero?: () => void) =>
  render(
    <MantineProvider>
      <BelowZero below={below} posted={posted} onZero={onZero} />
    </MantineProvider>,
  );

it('names what is below zero, and counts it as zero', () => {
  const onZero = vi.fn();
  show(false, onZero);
  expect(screen.getByText('Dough, lot D-1: −4 kg')).toBeDefined();
  fireEvent.click(screen.getByRole('button', { name: 'Count Dough, without lot as zero' }));
  expect(onZero).toHaveBeenCalledExactlyOnceWith(rows[0]);
});

it('only names it once posted', () => {
  const { unmount } = show(true);
  expect(screen.getByText('Dough, without lot: −3 kg')).toBeDefined();
  expect(screen.queryByRole('button')).toBeNull();
  unmount();
  render(<BelowZeroNote below={below} />);
  expect(screen.getByText(/Dough, without lot: −3 kg; Dough, lot D-1: −4 kg\.$/)).toBeDefined();
});

it('says nothing if nothing is', () => {
  const { container } = render(<BelowZeroNote below={[]} />);
  expect(container.textContent).toBe('');
});
