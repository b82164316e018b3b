// @vitest-environment jsdom
import { MantineProvider } from '@mantine/core';
import { QueryClientProvider } from '@tanstack/react-query';
import { render, screen } from '@testing-library/react';
import { MemoryRouter } from 'react-router';
import { afterEach, expect, it, vi } from 'vitest';
import { queries } from '#/api/queries';
import { CountSheet } from './CountSheet';

const sheet = vi.hoisted(() => vi.fn());
vi.mock('#/api/client', async (original) => ({
  ...(await original<typeof import('#/api/client')>()),
  request: sheet,
}));

afterEach(() => queries.clear());

it('says on paper why an item has to be counted', async () => {
  const marked = {
    ...{ documentKind: 'transfer', documentNo: 'TR-1', markedAt: '2026-11-24T06:10:00Z' },
    ...{ asked: [{ qty: 5, unit: 'pack' }], expected: 1.5, unit: 'kg' },
  };
  const item = (id: string, more = {}) => ({ id, name: id, packs: [], ...more });
  sheet.mockResolvedValue({
    ...{ storeId: 's1', storeName: 'Cubao', date: '2026-11-24' },
    items: [item('Butter', { marked }), item('Ham')],
  });
  render(
    <QueryClientProvider client={queries}>
      <MantineProvider env="test">
        <MemoryRouter>
          <CountSheet storeId="s1" onClose={() => {}} />
        </MemoryRouter>
      </MantineProvider>
    </QueryClientProvider>,
  );
  const [butter, ham] = (await screen.findAllByRole('rowheader')).map((cell) => cell.textContent);
  expect(butter).toMatch(/Count this: 5 pack sent while 1\.5 kg expected, 24 Nov 14:10 \(TR-1\)/);
  expect(ham?.trim()).toBe('Ham');
});
