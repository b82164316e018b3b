// @vitest-environment jsdom
import { MantineProvider } from '@mantine/core';
import { QueryClientProvider } from '@tanstack/react-query';
import { act, fireEvent, render, screen, waitFor } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { queries } from '#/api/queries';
import { type Me, MeContext } from '#/api/session';
import type { CloseLine } from '#/documents/close';
import { CloseCard } from './CloseCard';
import { queueRecord, startSending } from './queue';
import type { BranchRecord } from './types';

vi.mock('#/offline/device', async () => {
  const { MemoryDisk, MemoryMirror } = await import('#/offline/testing');
  return { disk: new MemoryDisk(), mirror: new MemoryMirror(), dropPictures: async () => {} };
});
const server = vi.hoisted(() => ({ open: [] as object[], said: [] as unknown[] }));
vi.mock('#/api/client', async (original) => ({
  ...(await original<typeof import('#/api/client')>()),
  requestAt: vi.fn(async (method: string, path: string, { json }: { json?: unknown } = {}) => {
    if (path === '/api/stores/count/close-goods/open') return { items: server.open };
    if (path === '/api/stores/count/close-goods') {
      server.said.push(json);
      server.open = [];
      return { items: [] };
    }
    // The receipt is posted; the phone does not read the questions of that answer.
    if (method === 'POST' && path.startsWith('/api/stores/receive')) {
      if (path.endsWith('/post')) server.open = [line];
      return { id: 'r1', revision: 1, status: 'posted', receiptNo: 'GR-2026-000012' };
    }
    throw new Error(`${method} ${path}`);
  }),
}));

const line: Omit<CloseLine, 'storeId'> = {
  lineId: 'l1',
  date: '2026-11-24',
  session: 'opening',
  documentKind: 'receipt',
  documentNo: 'GR-2026-000012',
  name: 'Buns',
  qty: 200,
  uomCode: 'pc',
  happenedAt: '2026-11-23T21:40:00Z',
  countedAt: '2026-11-23T22:06:00Z',
};

const record: BranchRecord = {
  ...{ v: 1, op: 'a', uid: 'u1', storeId: 's1', kind: 'receive', title: 'DL-1' },
  at: '2026-11-24T02:00:00.000Z',
  ...{ base: '/api/stores/receive', body: {}, draftId: null, step: 'post' },
  ...{ photos: [], lineNames: [], subject: 'd1', form: {} },
};

const me = (counts: boolean) =>
  ({
    user: { uid: 'u1', superAdmin: false },
    permissions: { stores: { storeCount: { view: counts, count: counts } } },
  }) as unknown as Me;

function show(who: Me) {
  render(
    <QueryClientProvider client={queries}>
      <MantineProvider env="test">
        <MeContext value={who}>
          <CloseCard storeId="s1" />
        </MeContext>
      </MantineProvider>
    </QueryClientProvider>,
  );
}

describe('goods close to a count, on the phone', () => {
  beforeEach(() => {
    server.open = [];
    server.said = [];
    queries.setQueryData(['me'], me(true));
  });
  afterEach(() => queries.clear());

  it('are asked about once a receipt that waited is sent, until a person answers', async () => {
    const stop = startSending();
    show(me(true));
    await waitFor(() => expect(queries.isFetching()).toBe(0));
    expect(screen.queryByText('Was this counted?')).toBeNull();
    await act(() => queueRecord(record));
    expect(await screen.findByText('Was this counted?')).toBeTruthy();
    const open = () => fireEvent.click(screen.getByRole('button', { name: 'Answer' }));
    open();
    const words = 'GR-2026-000012 (200 pc) was received at 05:40. Was it counted at 06:06?';
    expect(await screen.findByText(words)).toBeTruthy();
    fireEvent.click(screen.getByRole('button', { name: 'Later' }));
    await waitFor(() => expect(screen.queryByText(words)).toBeNull());
    expect(screen.getByText('Was this counted?')).toBeTruthy();
    open();
    await screen.findByText(words);
    fireEvent.click(screen.getByRole('radio', { name: 'Yes' }));
    fireEvent.click(screen.getByRole('button', { name: 'Save answers' }));
    await waitFor(() => expect(screen.queryByText('Was this counted?')).toBeNull());
    expect(server.said).toEqual([
      {
        ...{ storeId: 's1', date: '2026-11-24', session: 'opening' },
        answers: [{ lineId: 'l1', included: true }],
      },
    ]);
    stop();
  });

  it.each([
    ['waste', 'Yes', false],
    ['waste', 'No', true],
    ['transfer', 'Yes', false],
    ['supplierReturn', 'No', true],
    ['receipt', 'No', false],
  ])('%s, «%s»: the count includes it: %s', async (documentKind, choice, included) => {
    server.open = [{ ...line, documentKind }];
    show(me(true));
    fireEvent.click(await screen.findByRole('button', { name: 'Answer' }));
    fireEvent.click(await screen.findByRole('radio', { name: choice }));
    expect(screen.getByRole<HTMLInputElement>('radio', { name: choice }).checked).toBe(true);
    fireEvent.click(screen.getByRole('button', { name: 'Save answers' }));
    await waitFor(() => expect(server.said).toHaveLength(1));
    expect(server.said[0]).toMatchObject({ answers: [{ lineId: 'l1', included }] });
  });

  it('that left are asked about the other way round', async () => {
    server.open = [{ ...line, documentKind: 'waste', documentNo: 'WS-1' }];
    show(me(true));
    expect(await screen.findByText('Was this still there?')).toBeTruthy();
    fireEvent.click(screen.getByRole('button', { name: 'Answer' }));
    expect(
      await screen.findByText(
        'WS-1 (200 pc) was thrown away at 05:40. Were these goods still there when the store was counted at 06:06?',
      ),
    ).toBeTruthy();
  });

  it('are not asked of a user who does not count', async () => {
    server.open = [line];
    show(me(false));
    await waitFor(() => expect(queries.isFetching()).toBe(0));
    expect(screen.queryByText('Was this counted?')).toBeNull();
  });
});
