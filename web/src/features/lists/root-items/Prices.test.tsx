import { MantineProvider } from '@mantine/core';
import { QueryClientProvider } from '@tanstack/react-query';
import { fireEvent, render, screen, waitFor } from '@testing-library/react';
import { MemoryRouter } from 'react-router';
import { beforeEach, expect, it, vi } from 'vitest';
import { queries } from '#/api/queries';
import type { components } from '#/api/schema.gen';
import { RootItemPrices } from './Prices';

const request = vi.hoisted(() => vi.fn());
vi.mock('#/api/client', async (original) => ({
  ...(await original<object>()),
  request,
}));

vi.mock('#/api/session', async (original) => ({
  ...(await original<object>()),
  useCan: () => true,
}));

const start = {
  from: '1970-01-01',
  fromStart: true,
  price: 54,
  source: 'start',
  revision: 1,
  updatedAt: '2026-11-01T02:00:00Z',
};
const record = { id: 'r1', name: 'Rice', price: 54 } as components['schemas']['RootItem'];

function show(readOnly = false) {
  render(
    <MantineProvider env="test">
      <QueryClientProvider client={queries}>
        <MemoryRouter>
          <RootItemPrices record={record} readOnly={readOnly} />
        </MemoryRouter>
      </QueryClientProvider>
    </MantineProvider>,
  );
}

beforeEach(() => {
  queries.clear();
  request.mockReset().mockResolvedValue({ items: [start], weeks: [] });
});

it('sets a price of a past day with its reason', async () => {
  show();
  fireEvent.click(await screen.findByRole('button', { name: 'Change the price from the start' }));
  fireEvent.change(screen.getByRole('textbox', { name: 'Price' }), { target: { value: '60' } });
  fireEvent.change(screen.getByRole('textbox', { name: /Why past days change/ }), {
    target: { value: 'Typed wrong' },
  });
  fireEvent.click(screen.getByRole('button', { name: 'Save and recompute' }));
  await waitFor(() =>
    expect(request).toHaveBeenCalledWith('PUT', '/api/lists/root-items/{id}/prices/{from}', {
      path: { id: 'r1', from: '1970-01-01' },
      json: { price: 60, revision: 1, recompute: true, reason: 'Typed wrong' },
    }),
  );
});

it('asks for a price before it saves', async () => {
  show();
  fireEvent.click(await screen.findByRole('button', { name: 'Add a price' }));
  fireEvent.click(screen.getByRole('button', { name: 'Save price' }));
  expect(await screen.findByText('Enter a price.')).toBeTruthy();
  expect(request).toHaveBeenCalledTimes(1);
});

it('offers no change to users who may only read', async () => {
  show(true);
  expect(await screen.findByText('₱54.00')).toBeTruthy();
  expect(screen.queryByRole('button')).toBeNull();
});
