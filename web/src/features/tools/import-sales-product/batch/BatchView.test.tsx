import { MantineProvider } from '@mantine/core';
import { QueryClientProvider } from '@tanstack/react-query';
import { act, fireEvent, render, screen, waitFor, within } from '@testing-library/react';
import { MemoryRouter } from 'react-router';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { Problem } from '#/api/problem';
import { queries } from '#/api/queries';
import { salesApi } from '../api';
import type { Ask, Batch, Layout, Mapping } from '../types';
import { BatchView } from './BatchView';

vi.mock('#/api/session', () => ({ useCan: () => true }));
vi.mock('#/ui/JobProgress', () => ({ JobProgress: () => <p>Under way</p> }));
vi.mock('#/ui/RecentChanges', () => ({ RecentChanges: () => null }));

afterEach(() => {
  queries.clear();
  vi.restoreAllMocks();
});

const ASK: Ask = {
  id: 'word:preparing',
  about: 'What does «Preparing» mean?',
  rows: 1,
  choices: [
    { id: 'leaveOut', label: 'Leave out', set: {}, lines: 1, qty: 1, net: 120 },
    { id: 'counts', label: 'Counts', set: {}, lines: 2, qty: 2, net: 240 },
  ],
};

const column = (index: number, header: string, suggested: 'item' | 'net' | 'store' | null) => ({
  index,
  header,
  samples: [],
  suggested,
  mayBeQuantity: false,
});
const LAYOUT = {
  format: 'csv',
  hasHeader: true,
  decimal: '.',
  rows: 4,
  columns: [column(0, 'Item', 'item'), column(1, 'Total', 'net'), column(2, 'Total', null)],
  dateFormats: [],
} as unknown as Layout;
const MAPPING = { columns: { item: 0, net: 1 }, store: { fixed: 's1' }, answers: {} };

const sumsWith = (net: number, leftOut: object[], asks: Ask[]) => ({
  lines: 4,
  // The rows that a status strikes off are lines too.
  goodLines: 4,
  problemLines: 0,
  qty: net / 120,
  net,
  fileQty: 4,
  fileNet: 480,
  leftOut,
  asks,
  receipts: 4,
  firstDay: '2026-11-13',
  lastDay: '2026-11-13',
  days: 1,
  stores: 1,
  items: 1,
  storeDays: 1,
  replaces: 1,
  unmappedItems: 0,
  unmappedStores: 0,
  terminals: [],
  warnings: [],
});
const WORD = { reason: 'unknownWord', label: 'Unknown words', rows: 1, qty: 1, net: 120 };
const VOID = { reason: 'void', label: 'Voids', rows: 2, qty: 2, net: 240 };

const batchOf = (part: object): Batch =>
  ({
    id: 'b1',
    fileName: 'status.csv',
    size: 400,
    subject: 'posItems',
    state: 'validated',
    layout: LAYOUT,
    mapping: MAPPING,
    summary: sumsWith(120, [WORD, VOID], [ASK]),
    ...part,
  }) as unknown as Batch;

async function open(batch: Batch) {
  vi.spyOn(salesApi, 'batch').mockImplementation(async () => batch);
  render(
    <MantineProvider>
      <QueryClientProvider client={queries}>
        <MemoryRouter>
          <BatchView id="b1" back={null} />
        </MemoryRouter>
      </QueryClientProvider>
    </MantineProvider>,
  );
  await screen.findByText('status.csv');
}

const show = (batch: Batch) =>
  act(async () => void queries.setQueryData(['import-sales', 'batch', 'b1'], batch));
const button = (name: string) => screen.getByRole('button', { name });
const rowOf = (name: RegExp) =>
  within(screen.getByRole('row', { name }))
    .getAllByRole('cell')
    .map(({ textContent }) => textContent);

describe('the review of a sales file', () => {
  it('does not post with open questions, and stays while the file is checked again', async () => {
    const answered = { mapping: { ...MAPPING, answers: { 'word:preparing': 'counts' } } };
    const map = vi
      .spyOn(salesApi, 'map')
      .mockResolvedValue(batchOf({ ...answered, state: 'validating', summary: null, jobId: 'j1' }));
    await open(batchOf({}));
    expect(screen.getByText('1 question is open.')).toBeTruthy();
    expect(document.activeElement).toBe(screen.getByRole('radio', { name: /^Leave out/ }));
    expect(button('Post sales')).toHaveProperty('disabled', true);
    expect(rowOf(/^In the file/)).toEqual(['4', '4', '₱480.00']);
    expect(rowOf(/^To be posted/)).toEqual(['1', '1', '₱120.00']);
    expect(rowOf(/^Left out/)).toEqual(['3', '3', '₱360.00']);
    expect(rowOf(/^Voids/)).toEqual(['2', '2', '₱240.00']);

    fireEvent.click(screen.getByRole('radio', { name: /^Counts/ }));
    expect(await screen.findByText('Under way')).toBeTruthy();
    expect(map.mock.lastCall?.[1]).toEqual(answered.mapping);
    expect(rowOf(/^To be posted/)).toEqual(['1', '1', '₱120.00']);
    expect(screen.getByText('The file is checked again with your answers.')).toBeTruthy();

    await show(batchOf({ ...answered, summary: sumsWith(240, [VOID], []) }));
    await waitFor(() => expect(rowOf(/^To be posted/)).toEqual(['2', '2', '₱240.00']));
    expect(screen.getByRole('radio', { name: /^Counts/, checked: true })).toBeTruthy();
    expect(button('Post sales')).toHaveProperty('disabled', false);
  });

  it('says that choices on screen are not used yet, and moves to the sums without a question', async () => {
    const latte = {
      key: 'k1',
      name: 'Ube Latte (Large)',
      lines: 1,
      qty: 12,
      net: 1800,
      suggestion: { posItemId: 'p1', name: 'Ube Latte Large' },
    };
    const small = { ...latte, key: 'k2', name: 'Ube Latte (Small)', suggestion: null };
    vi.spyOn(salesApi, 'unknowns').mockResolvedValue({ stores: [], items: [latte, small] });
    const summary = { ...sumsWith(120, [], []), unmappedItems: 2 };
    await open(batchOf({ summary }));
    expect(document.activeElement).toBe(
      screen.getByRole('table', { name: 'The file and what is posted' }),
    );
    const chooser = (name: string) =>
      screen.getByRole('combobox', { name: `What “${name}” stands for` });
    await screen.findByText(/^The choices above count once you press “Map 1 item”\./);
    expect(chooser('Ube Latte (Large)')).toHaveProperty('value', 'p1');
    expect(chooser('Ube Latte (Small)')).toHaveProperty('value', '');
    fireEvent.click(button('Leave all'));
    expect(screen.queryByText(/^The choices above/)).toBeNull();
    expect(button('Map items')).toHaveProperty('disabled', true);
  });

  it('moves to the question that a refused posting names', async () => {
    const refusal = new Problem(
      409,
      'asks',
      'Answer the questions about this file first.',
      [],
      null,
      {
        asks: [ASK],
      },
    );
    vi.spyOn(salesApi, 'post').mockRejectedValue(refusal);
    await open(batchOf({ summary: sumsWith(120, [], []) }));
    await act(async () => fireEvent.click(button('Post sales')));
    expect(screen.getByText('Answer the questions about this file first.')).toBeTruthy();
    expect(document.activeElement).toBe(screen.getByRole('radio', { name: /^Leave out/ }));
  });

  it('asks about store-days that are there, and posts with the choice', async () => {
    const there = { files: ['till1.csv'], tills: ['T1'], receipts: 2, qty: 3, net: 360 };
    const one = {
      storeId: 's1',
      storeName: 'Larkspur Mall',
      day: '2026-11-13',
      there,
      comes: { tills: [], receipts: 1, qty: 1, net: 120 },
      overlap: { receipts: 0, qty: 0, net: 0 },
      choices: [{ id: 'add', qty: 4, net: 480 }],
    };
    const post = vi
      .spyOn(salesApi, 'post')
      .mockRejectedValueOnce(
        new Problem(409, 'alreadyImported', '', [], null, { storeDays: 1, days: [one] }),
      )
      .mockResolvedValueOnce(batchOf({ state: 'posted' }));
    await open(batchOf({ summary: sumsWith(120, [], []) }));
    await act(async () => fireEvent.click(button('Post sales')));
    expect(await screen.findByText('Already imported; replace?')).toBeTruthy();
    fireEvent.click(await screen.findByRole('radio', { name: /^Add/ }));
    await act(async () => fireEvent.click(button('Add and post')));
    expect(post.mock.calls).toEqual([
      ['b1', undefined],
      ['b1', 'add'],
    ]);
    await waitFor(() => expect(screen.queryByText('Already imported; replace?')).toBeNull());
  });
});

describe('a file of which another one posted days before', () => {
  it('names that file and leads to it', async () => {
    const first = { batchId: 'b0', fileName: 'till1.csv', storeDays: 2 };
    const postedBy = [{ ...first, firstDay: '2026-11-13', lastDay: '2026-11-14' }];
    await open(batchOf({ state: 'posted', summary: sumsWith(120, [], []), postedBy }));
    const link = await screen.findByRole('link', { name: 'till1.csv' });
    expect(link.getAttribute('href')).toContain('batch=b0');
    expect(link.closest('p')?.textContent).toBe(
      '2 store days (13 Nov 2026 – 14 Nov 2026): already posted by till1.csv.',
    );
  });
});

describe('the mapping of a file without dates', () => {
  it('proposes the day, and tells apart two columns of one name', async () => {
    const suggestion = { ...MAPPING, day: '2026-11-13', decimal: '.', hasHeader: true };
    const map = vi
      .spyOn(salesApi, 'map')
      .mockResolvedValue(batchOf({ state: 'validating', summary: null }));
    await open(
      batchOf({
        state: 'uploaded',
        mapping: null,
        summary: null,
        layout: { ...LAYOUT, suggestion, asks: [ASK] },
      }),
    );
    expect(screen.getByText('Which day and which store?')).toBeTruthy();
    expect(screen.getByLabelText(/^The file is of one day/)).toHaveProperty('value', '13 Nov 2026');
    expect(screen.getByText(/^Proposed from the file/)).toBeTruthy();
    expect(screen.getByText('Total (B)')).toBeTruthy();
    expect(screen.getByText('Total (C)')).toBeTruthy();
    expect(screen.getByText(/^1 question is open/)).toBeTruthy();
    expect(document.activeElement).toBe(screen.getByRole('radio', { name: /^Leave out/ }));
    fireEvent.keyDown(document.activeElement as Element, { key: '2' });
    await act(async () => {
      fireEvent.keyDown(document.activeElement as Element, { key: 'Enter' });
    });
    const sent = map.mock.lastCall?.[1] as Mapping;
    expect([sent.day, sent.answers]).toEqual(['2026-11-13', { 'word:preparing': 'counts' }]);
  });

  it.each([
    ['the day that is missing', { ...MAPPING, day: null }, /^The file is of one day/],
    ['the button when nothing is missing', { ...MAPPING, day: '2026-11-13' }, /^Check every row/],
  ])('moves to %s', async (_, suggestion, focused) => {
    const layout = { ...LAYOUT, suggestion: { ...suggestion, decimal: '.', hasHeader: true } };
    await open(batchOf({ state: 'uploaded', mapping: null, summary: null, layout }));
    const { activeElement } = document;
    expect(
      (activeElement as HTMLInputElement).labels?.[0]?.textContent || activeElement?.textContent,
    ).toMatch(focused);
  });
});
