import { MantineProvider } from '@mantine/core';
import { fireEvent, render, screen } from '@testing-library/react';
import { expect, it, vi } from 'vitest';
import { knownOf, StatusSegments } from './StatusSegments';
import { stockTakeDef } from './stockTakes';

const { states } = stockTakeDef;

it('shows several statuses as chosen, and chooses one', () => {
  const onChange = vi.fn();
  render(
    <MantineProvider>
      <StatusSegments
        states={states}
        counts={{ counting: 2, posted: 5 }}
        value="draft,counting"
        onChange={onChange}
      />
    </MantineProvider>,
  );
  const chosen = screen.getAllByRole('button', { pressed: true });
  expect(chosen.map(({ textContent }) => textContent)).toEqual(['Not started 0', 'Counting 2']);
  fireEvent.click(screen.getByRole('button', { name: /^Posted/ }));
  expect(onChange).toHaveBeenCalledExactlyOnceWith('posted');
});

it('leaves out statuses that do not exist', () => {
  expect(knownOf('draft,counting', states)).toBe('draft,counting');
  expect(knownOf('shipped,counting', states)).toBe('counting');
  expect(knownOf('', states)).toBe('');
});
