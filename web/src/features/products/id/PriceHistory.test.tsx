import { MantineProvider } from '@mantine/core';
import { QueryClientProvider } from '@tanstack/react-query';
import { render, screen, within } from '@testing-library/react';
import { MemoryRouter } from 'react-router';
import { beforeEach, expect, it, vi } from 'vitest';
import { queries } from '#/api/queries';
import type { Product } from '../api';
import { PriceHistory } from './PriceHistory';

const requestAt = vi.hoisted(() => vi.fn());
vi.mock('#/api/client', async (original) => ({
  ...(await original<object>()),
  requestAt,
}));
vi.mock('#/api/session', async (original) => ({
  ...(await original<object>()),
  useCan: () => true,
}));
vi.mock('#/api/names', async (original) => ({
  ...(await original<object>()),
  useNames: () => ({ data: [{ id: 'own', name: 'Own stores' }] }),
}));

const price = {
  priceLevelId: 'own',
  fromStart: false,
  source: 'set',
  updatedAt: '2026-11-03T02:00:00Z',
};

function show() {
  render(
    <MantineProvider env="test">
      <QueryClientProvider client={queries}>
        <MemoryRouter>
          <PriceHistory product={{ id: 'p1' } as Product} />
        </MemoryRouter>
      </QueryClientProvider>
    </MantineProvider>,
  );
}

beforeEach(() => {
  queries.clear();
  requestAt.mockReset();
});

it('lists the prices by day, with level and origin', async () => {
  requestAt.mockResolvedValue({
    items: [
      { ...price, from: '2026-11-03', price: null, updatedBy: { name: 'Ana Cruz' } },
      { ...price, from: '1970-01-01', fromStart: true, price: 240, source: 'start' },
      { ...price, priceLevelId: 'gone', from: '1970-01-01', fromStart: true, price: 200 },
    ],
  });
  show();
  const rows = await screen.findAllByRole('listitem');
  expect(requestAt).toHaveBeenCalledWith('GET', '/api/products/p1/prices', expect.anything());
  const said = rows.map((row) => row.textContent);
  expect(said[0]).toMatch(/^Own stores: No price from .*Set by Ana Cruz, /);
  expect(said[1]).toBe('Own stores: ₱240.00 from the startBefore prices were kept by day');
  expect(within(rows[2] as HTMLElement).getByText(/^Deleted level/)).toBeTruthy();
});

it('shows nothing for a product that never had a price', async () => {
  requestAt.mockResolvedValue({ items: [] });
  show();
  await vi.waitFor(() => expect(document.querySelector('[aria-busy]')).toBeNull());
  expect(screen.queryByText('Prices by day')).toBeNull();
});
