import { MantineProvider } from '@mantine/core';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { fireEvent, render, screen } from '@testing-library/react';
import { useState } from 'react';
import { afterEach, describe, expect, it, vi } from 'vitest';
import * as client from '#/api/client';
import { Aside } from './Aside';
import type { Connector, WordMeaning } from './api';
import { StatusWords } from './StatusWords';

afterEach(() => vi.restoreAllMocks());

const letter = (id: string, choices: { id: string; label: string }[]) => ({
  id,
  runId: 'r1',
  unit: `delivery ${id}`,
  what: 'delivery',
  reason: 'Are they one set?',
  raw: '',
  rawCut: false,
  stores: [],
  choices,
  state: 'open',
  createdAt: '2026-11-14T00:00:00Z',
});

describe('what a connector put aside', () => {
  it('is answered with a choice of its question, or tried again without one', async () => {
    const choices = [
      { id: 'each', label: 'No, each line was sold' },
      { id: 'once', label: 'Yes, count one set' },
    ];
    const ask = vi.spyOn(client, 'requestAt').mockImplementation(async (method) => {
      return method === 'GET' ? { items: [letter('a', choices), letter('b', [])], total: 2 } : {};
    });
    render(
      <MantineProvider>
        <QueryClientProvider client={new QueryClient()}>
          <Aside base="/feeds" connector={{ id: 'f1' } as Connector} canEdit />
        </QueryClientProvider>
      </MantineProvider>,
    );
    fireEvent.click(await screen.findByRole('button', { name: 'Yes, count one set: delivery a' }));
    expect(ask).toHaveBeenCalledWith('POST', '/feeds/f1/aside/a/retry', {
      json: { answer: 'once' },
    });
    expect(screen.queryByRole('button', { name: 'Try again: delivery a' })).toBeNull();
    fireEvent.click(screen.getByRole('button', { name: 'Try again: delivery b' }));
    expect(ask).toHaveBeenCalledWith('POST', '/feeds/f1/aside/b/retry', { json: {} });
  });
});

describe('the words of status columns', () => {
  it('are added, changed and forgotten', async () => {
    const changed = vi.fn();
    function Page() {
      const [words, setWords] = useState<Record<string, WordMeaning>>({ Preparing: 'leaveOut' });
      return (
        <MantineProvider>
          <StatusWords
            words={words}
            onChange={(next) => {
              changed(next);
              setWords(next);
            }}
          />
        </MantineProvider>
      );
    }
    render(<Page />);
    const another = screen.getByRole('textbox', { name: 'Another word' });
    fireEvent.change(another, { target: { value: ' Served ' } });
    fireEvent.click(screen.getByRole('combobox', { name: 'Its meaning' }));
    fireEvent.click(await screen.findByRole('option', { name: 'Counts as a sale' }));
    expect(changed).toHaveBeenLastCalledWith({ Preparing: 'leaveOut', Served: 'counts' });
    expect(another).toHaveProperty('value', '');
    fireEvent.click(screen.getByRole('button', { name: 'Forget «Preparing»' }));
    expect(changed).toHaveBeenLastCalledWith({ Served: 'counts' });
  });
});
