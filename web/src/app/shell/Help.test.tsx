// @vitest-environment jsdom
import { MantineProvider } from '@mantine/core';
import { render, screen } from '@testing-library/react';
import { MemoryRouter } from 'react-router';
import { expect, it } from 'vitest';
import { Help } from './Help';

function show(path: string) {
  render(
    <MantineProvider>
      <MemoryRouter initialEntries={[path]}>
        <Help opened onClose={() => undefined} />
      </MemoryRouter>
    </MantineProvider>,
  );
}

it('says what the open page is for, what to do there, and its keys', async () => {
  show('/stores/orders/so-1');
  await screen.findByText(/A draft can be changed until its cut-off/);
  expect(screen.getByRole('dialog', { name: 'Help: Order' })).toBeTruthy();
  expect(screen.getAllByRole('listitem')).toHaveLength(3);
  expect(screen.getByText('Copy the cell above')).toBeTruthy();
  expect(screen.getByText('Show this help')).toBeTruthy();
});

it('still has the keys where no page is known', () => {
  show('/nowhere');
  expect(screen.getByRole('dialog', { name: 'Help' })).toBeTruthy();
  expect(screen.getByText('Show this help')).toBeTruthy();
});
