// @vitest-environment jsdom
import { MantineProvider } from '@mantine/core';
import { QueryClientProvider } from '@tanstack/react-query';
import { fireEvent, render, screen, waitFor } from '@testing-library/react';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { queries } from '#/api/queries';
import { type Me, MeContext } from '#/api/session';
import type { Recall } from './api';
import { RecallAnswers } from './RecallPlaces';

const server = vi.hoisted(() => ({ said: [] as unknown[] }));
vi.mock('#/api/client', async (original) => ({
  ...(await original<typeof import('#/api/client')>()),
  request: vi.fn(async (_: string, path: string, { json }: { json?: unknown } = {}) => {
    if (path !== '/api/stock/recalls/answers') throw new Error(path);
    server.said.push(json);
    return {};
  }),
}));

const recall = {
  ...{ storeId: 's1', placeKind: 'store', placeId: 's1', placeName: 'Cubao' },
  ...{ productId: 'p1', name: 'Rice', lot: 'L-1', uomCode: 'kg' },
  ...{ qty: 4, likely: 4, atLeast: 0, atMost: 9, came: 9, left: 0, cameLessLeft: 9 },
  recalledAt: '2026-11-24T02:00:00Z',
} as Recall;

function show(edit: boolean, onAnswered = () => {}) {
  const me = {
    user: { uid: 'u1', superAdmin: false },
    permissions: { stores: { storeReceive: { view: true, edit } } },
  } as unknown as Me;
  render(
    <QueryClientProvider client={queries}>
      <MantineProvider env="test">
        <MeContext value={me}>
          <RecallAnswers recall={recall} size="md" onAnswered={onAnswered} />
        </MeContext>
      </MantineProvider>
    </QueryClientProvider>,
  );
}

describe('the answers to a recall', () => {
  beforeEach(() => {
    server.said = [];
  });

  it('say that nothing was found, and tell the screen', async () => {
    const answered = vi.fn();
    show(true, answered);
    fireEvent.click(screen.getByRole('button', { name: 'Nothing found: lot L-1 at Cubao' }));
    await waitFor(() => expect(answered).toHaveBeenCalledOnce());
    expect(server.said).toEqual([
      { productId: 'p1', lot: 'L-1', placeKind: 'store', placeId: 's1', found: 0 },
    ]);
  });

  it('say how much was found', async () => {
    const answered = vi.fn();
    show(true, answered);
    fireEvent.click(screen.getByRole('button', { name: 'Found some: lot L-1 at Cubao' }));
    const field = await screen.findByLabelText(/Found, in kg/);
    fireEvent.change(field, { target: { value: '2.5' } });
    fireEvent.blur(field);
    fireEvent.click(screen.getByRole('button', { name: 'Save answer' }));
    await waitFor(() => expect(answered).toHaveBeenCalledOnce());
    expect(server.said).toMatchObject([{ found: 2.5 }]);
  });

  it('are for those who may receive', () => {
    show(false);
    expect(screen.queryByRole('button')).toBeNull();
  });
});
