import { MantineProvider } from '@mantine/core';
import { notifications, notificationsStore } from '@mantine/notifications';
import { fireEvent, render, screen } from '@testing-library/react';
import { MemoryRouter } from 'react-router';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { Problem } from '#/api/problem';
import { RecentChanges } from './RecentChanges';
import {
  addRecentChange,
  forgetRecentChanges,
  recentChanges,
  undoChange,
  undoLastOf,
} from './recentChanges';
import { undoable } from './toast';

afterEach(() => {
  forgetRecentChanges();
  notifications.clean();
});

const toasts = () =>
  notificationsStore.getState().notifications.map(({ message, autoClose }) => [message, autoClose]);
const messages = () => recentChanges().map(({ message }) => message);
const undo = () => Promise.resolve();

describe('a change that can be undone', () => {
  it('is confirmed by a toast of 1.8 s, and stays until it is undone', async () => {
    const back = vi.fn(undo);
    undoable({ message: 'Product deleted', records: ['p1'], undo: back });
    expect(toasts()).toEqual([['Product deleted', 1800]]);
    notifications.clean();
    const [change] = recentChanges();
    if (!change) throw new Error('it is gone');
    undoChange(change);
    await vi.waitFor(() => expect(toasts()).toEqual([['Undone: product deleted', 1800]]));
    undoChange(change);
    expect(back).toHaveBeenCalledOnce();
    expect(messages()).toEqual([]);
  });

  it('says why it cannot be undone', async () => {
    const refuse = () => Promise.reject(new Problem(409, 'stale', 'Ana changed it.'));
    undoable({ message: 'Product marked inactive', undo: refuse });
    for (const change of recentChanges()) undoChange(change);
    await vi.waitFor(() => expect(toasts()).toContainEqual(['Ana changed it.', false]));
    expect(messages()).toEqual([]);
  });

  it('is removed when its record changes again; of several records the others stay', () => {
    addRecentChange({ message: 'saved', records: ['a'], undo });
    addRecentChange({ message: '2 changed', records: ['a', 'b'], undo });
    addRecentChange({ message: 'saved again', records: ['a'], undo });
    expect(messages()).toEqual(['2 changed', 'saved again']);
  });

  it('is undone by a key only on its own page', () => {
    const [here, there] = [{}, {}];
    addRecentChange({ message: 'here', owner: here, undo });
    addRecentChange({ message: 'there', owner: there, undo });
    undoLastOf(here);
    undoLastOf(here);
    expect(messages()).toEqual(['there']);
  });
});

describe("the page's button", () => {
  const show = (path: string) =>
    render(
      <MantineProvider>
        <MemoryRouter initialEntries={[path]}>
          <RecentChanges />
        </MemoryRouter>
      </MantineProvider>,
    );

  it('is missing if nothing was done', () => {
    show('/products');
    expect(screen.queryByRole('button')).toBeNull();
  });

  it("undoes the page's last change, and lists all", async () => {
    const back = vi.fn(undo);
    addRecentChange({ message: 'Supplier saved', path: '/lists/suppliers', undo });
    addRecentChange({ message: 'Product deleted', name: 'Tapa', path: '/products', undo: back });
    const { unmount } = show('/products');
    fireEvent.click(screen.getByRole('button', { name: 'Undo' }));
    expect(back).toHaveBeenCalledOnce();
    unmount();
    show('/products');
    expect(screen.queryByRole('button', { name: 'Undo' })).toBeNull();
    addRecentChange({ message: 'Product marked inactive', path: '/products/p1', undo });
    expect(await screen.findByRole('button', { name: 'Undo' })).toBeTruthy();
    fireEvent.click(screen.getByRole('button', { name: 'Recent changes' }));
    expect(await screen.findByRole('menuitem', { name: /^Undo: Supplier saved/ })).toBeTruthy();
  });
});
