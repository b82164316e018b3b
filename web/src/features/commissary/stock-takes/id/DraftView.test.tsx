import { MantineProvider } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { QueryClientProvider } from '@tanstack/react-query';
import { fireEvent, render, screen, waitFor } from '@testing-library/react';
import { createMemoryRouter, RouterProvider } from 'react-router';
import { afterEach, expect, it, vi } from 'vitest';
import { queries } from '#/api/queries';
import { type Me, MeContext } from '#/api/session';
import type { StockTake } from '#/documents/stockTakes';
import type { GridColumn } from '#/grid/types';
import { DraftView } from './DraftView';

// Rows of the grid are virtual, and have no height here.
vi.mock('#/grid/EntryGrid', async (original) => ({
  ...(await original<typeof import('#/grid/EntryGrid')>()),
  EntryGrid: (props: { rows: { id: string }[]; columns: GridColumn<{ id: string }>[] }) =>
    props.rows.map((row) => (
      <p key={row.id}>
        {props.columns.map(({ id, cell }) => (
          <span key={id}>{cell?.(row)}</span>
        ))}
      </p>
    )),
}));

afterEach(() => {
  vi.unstubAllGlobals();
  queries.clear();
  notifications.clean();
});

const line = (id: string, name: string, more: object = {}) => ({
  ...{ id, position: 1, productId: id, name, uomId: 'kg', uomCode: 'kg', factor: 1 },
  ...more,
});
const take = {
  ...{ id: 't1', kind: 'stockTake', takeNo: 'ST-2026-000001', status: 'draft', revision: 4 },
  ...{ sourceType: 'commissary', sourceId: 'k1', businessDate: '2026-11-24', notes: null },
  ...{ blind: true, areaId: null, area: null, steps: [], can: ['start', 'cancel'] },
  ...{ createdAt: '2026-11-24T01:00:00Z', createdBy: { name: 'Ana' } },
  lines: [line('butter', 'Butter'), line('dough', 'Dough', { lot: 'D-1' }), line('buns', 'Buns')],
} as unknown as StockTake;

/** Shows the draft; gives what is sent of it. */
function show(answer: (sent: Record<string, unknown>) => [number, object]) {
  const sent: Record<string, unknown>[] = [];
  const names: Record<string, object[]> = {
    'storage-requirements': [{ id: 'a1', name: 'Chiller' }],
    products: [{ id: 'salt', name: 'Salt' }],
  };
  vi.stubGlobal('fetch', async (url: string, init: { method: string; body?: string }) => {
    const path = new URL(url, 'http://localhost').pathname;
    if (init.method === 'PATCH') {
      const body = JSON.parse(init.body ?? '') as Record<string, unknown>;
      sent.push(body);
      const [status, json] = answer(body);
      return Response.json(json, { status });
    }
    const kind = path.match(/^\/api\/names\/(.+)$/)?.[1];
    if (kind) return Response.json(names[kind] ?? []);
    if (path === '/api/products/salt') return Response.json({ id: 'salt', baseUom: 'kg' });
    return Response.json({ items: [], total: 0 });
  });
  const me = { user: { uid: 'u1', superAdmin: true }, permissions: {} } as unknown as Me;
  const router = createMemoryRouter([{ path: '/', element: <DraftView take={take} /> }]);
  render(
    <QueryClientProvider client={queries}>
      <MantineProvider>
        <MeContext value={me}>
          <RouterProvider router={router} />
        </MeContext>
      </MantineProvider>
    </QueryClientProvider>,
  );
  return sent;
}

const saved = (): [number, object] => [200, { ...take, revision: 5 }];

it('saves date, notes and whether it is blind together', async () => {
  const sent = show(saved);
  fireEvent.change(screen.getByLabelText('Notes'), { target: { value: 'Before the audit' } });
  fireEvent.click(screen.getByRole('switch', { name: /^Blind/ }));
  fireEvent.click(screen.getByRole('button', { name: 'Save draft' }));
  await waitFor(() =>
    expect(sent).toEqual([{ notes: 'Before the audit', blind: false, revision: 4 }]),
  );
});

it('removes the line that is named, and keeps the others', async () => {
  const sent = show(saved);
  fireEvent.click(screen.getByRole('button', { name: 'Remove Dough, lot D-1' }));
  const lines = [{ id: 'butter' }, { id: 'buns' }];
  await waitFor(() => expect(sent).toEqual([{ lines, revision: 4 }]));
});

it('adds a product without a number', async () => {
  const sent = show(saved);
  fireEvent.click(screen.getByRole('button', { name: 'Lot or product' }));
  fireEvent.click(await screen.findByRole('combobox', { name: 'Product' }));
  fireEvent.click(await screen.findByRole('option', { name: 'Salt', hidden: true }));
  expect(screen.queryByLabelText('Counted')).toBeNull();
  fireEvent.change(screen.getByLabelText('Lot'), { target: { value: 'S-1' } });
  const add = screen.getByRole('button', { name: 'Add to sheet' });
  await waitFor(() => expect(add.hasAttribute('disabled')).toBe(false));
  fireEvent.click(add);
  const added = { productId: 'salt', uomId: 'kg', lot: 'S-1' };
  const lines = [{ id: 'butter' }, { id: 'dough' }, { id: 'buns' }, added];
  await waitFor(() => expect(sent).toEqual([{ lines, revision: 4 }]));
});

it('saves another area at once, and does not keep one that was refused', async () => {
  const words = 'More than 2000 lines. Count one area at a time.';
  const fields = [{ field: 'areaId', message: words }];
  const sent = show(() => [422, { code: 'invalid', detail: words, fields }]);
  const area = screen.getByRole('combobox', { name: 'Area' }) as HTMLInputElement;
  fireEvent.click(area);
  fireEvent.click(await screen.findByRole('option', { name: 'Chiller', hidden: true }));
  await waitFor(() => expect(sent).toEqual([{ areaId: 'a1', revision: 4 }]));
  await waitFor(() => expect(area.value).toBe(''));
  expect(screen.getAllByText(words).length).toBeGreaterThan(0);
});
