import { QueryClientProvider } from '@tanstack/react-query';
import { render, screen } from '@testing-library/react';
import { MemoryRouter } from 'react-router';
import { afterEach, expect, it, vi } from 'vitest';
import { queries } from '#/api/queries';
import { WithoutStore } from './WithoutStore';

const { can } = vi.hoisted(() => ({ can: vi.fn(() => true) }));
vi.mock('#/api/session', async (original) => ({ ...(await original<object>()), useCan: can }));
afterEach(() => queries.clear());

function show(states: readonly string[]) {
  const items = states.map((state, at) => ({ id: `${at}`, state }));
  const answer = () =>
    Promise.resolve(
      new Response(JSON.stringify({ items }), { headers: { 'content-type': 'application/json' } }),
    );
  const asked = vi.spyOn(globalThis, 'fetch').mockImplementation(answer);
  render(
    <QueryClientProvider client={queries}>
      <MemoryRouter>
        <WithoutStore />
      </MemoryRouter>
    </QueryClientProvider>,
  );
  return asked;
}

it('counts pictures that ask for a store, without those being read', async () => {
  show(['asks', 'reading', 'asks']);
  expect((await screen.findByRole('status')).textContent).toBe(
    '2 pictures wait for their store. Choose it',
  );
  expect(screen.getByRole('link').getAttribute('href')).toBe('/tools/services/zreading-ocr');
});

it('does not ask for those who may not place them', () => {
  can.mockReturnValueOnce(false);
  expect(show(['asks'])).not.toHaveBeenCalled();
});
