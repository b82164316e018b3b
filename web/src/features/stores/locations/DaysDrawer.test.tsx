import { MantineProvider } from '@mantine/core';
import { fireEvent, render, screen } from '@testing-library/react';
import { expect, it, vi } from 'vitest';
import { Weekdays } from './DaysDrawer';

it('adds and removes weekdays, in their order', () => {
  const onChange = vi.fn();
  render(
    <MantineProvider>
      <Weekdays legend="Open on" value={[2, 6]} error="Choose a day." onChange={onChange} />
    </MantineProvider>,
  );
  expect(screen.getByRole('group', { name: 'Open on' })).toBeDefined();
  const chosen = screen.getAllByRole('button', { pressed: true });
  expect(chosen.map(({ textContent }) => textContent)).toEqual(['Tue', 'Sat']);
  expect(screen.getByRole('alert').textContent).toBe('Choose a day.');
  fireEvent.click(screen.getByRole('button', { name: 'Thu' }));
  expect(onChange).toHaveBeenLastCalledWith([2, 4, 6]);
  fireEvent.click(screen.getByRole('button', { name: 'Sat' }));
  expect(onChange).toHaveBeenLastCalledWith([2]);
});
