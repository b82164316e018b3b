import { MantineProvider } from '@mantine/core';
import { QueryClientProvider } from '@tanstack/react-query';
import { act, fireEvent, render, screen } from '@testing-library/react';
import { describe, expect, it, vi } from 'vitest';
import { queries } from '#/api/queries';
import { ResolveStores } from './Resolve';
import type { UnknownStore } from './types';

const unknown = (name: string, more: Partial<UnknownStore> = {}): UnknownStore => ({
  name,
  lines: 2,
  net: 240,
  first: '2026-11-13',
  last: '2026-11-14',
  ...more,
});

async function makeAllNew(stores: UnknownStore[]) {
  const resolve = vi.fn(async () => {});
  render(
    <MantineProvider>
      <QueryClientProvider client={queries}>
        <ResolveStores stores={stores} onResolve={resolve} />
      </QueryClientProvider>
    </MantineProvider>,
  );
  fireEvent.click(screen.getByRole('button', { name: 'Make all new' }));
  await act(async () => fireEvent.click(screen.getByRole('button', { name: /^Use \d choice/ })));
  return resolve.mock.lastCall;
}

describe('unknown store names', () => {
  it('does not make codes of stores new with the others, and says so', async () => {
    const sent = await makeAllNew([
      unknown('Astoria', { code: '3' }),
      unknown('3', { code: '3', codeOf: 'Astoria' }),
      unknown('8', {
        code: '8',
        codeOf: 'Larkspur Mall',
        suggestion: { storeId: 's8', name: 'Larkspur Mall' },
      }),
    ]);
    expect(
      screen.getByText(
        '2 names are codes of stores: 3 of Astoria, 8 of Larkspur Mall. “Make all new” leaves them out.',
      ),
    ).toBeTruthy();
    expect(screen.getByRole('combobox', { name: 'What “3” stands for' })).toHaveProperty(
      'value',
      '',
    );
    expect(sent).toEqual([
      [
        { name: 'Astoria', create: true },
        { name: '8', storeId: 's8' },
      ],
    ]);
  });

  it('makes all names new where none is a code', async () => {
    const similar = { storeId: 's1', name: 'Astoria Mall' };
    const sent = await makeAllNew([unknown('Astoria', { suggestion: similar }), unknown('Soho')]);
    expect(screen.queryByText(/leaves/)).toBeNull();
    expect(sent).toEqual([
      [
        { name: 'Astoria', create: true },
        { name: 'Soho', create: true },
      ],
    ]);
  });
});
