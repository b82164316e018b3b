import { MantineProvider } from '@mantine/core';
import { act, render, screen } from '@testing-library/react';
import { MemoryRouter } from 'react-router';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { type Me, MeContext } from '#/api/session';
import { Guard, NOT_AUTHORIZED_DELAY_MS } from './guard';

const me = { user: { superAdmin: false }, permissions: {} } as unknown as Me;

function show(who: Me, offline = false) {
  return render(
    <MantineProvider>
      <MeContext value={who}>
        <MemoryRouter>
          <Guard permission="lists/allLists" offline={offline}>
            the page
          </Guard>
        </MemoryRouter>
      </MeContext>
    </MantineProvider>,
  );
}

describe('page guard', () => {
  beforeEach(() => {
    vi.useFakeTimers();
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  it('shows the page to users who may view it', () => {
    show({ ...me, permissions: { lists: { allLists: { view: true } } } } as Me);
    expect(screen.getByText('the page')).toBeDefined();
  });

  it('keeps a page from a remembered user, unless it works without a connection', () => {
    const remembered = { ...me, user: { superAdmin: true }, remembered: true } as Me;
    show(remembered);
    expect(screen.getByText('This page needs a connection')).toBeDefined();
    expect(screen.queryByText('the page')).toBeNull();
    show(remembered, true);
    expect(screen.getByText('the page')).toBeDefined();
  });

  it('refuses after 400 ms, and shows nothing until then', () => {
    show(me);
    act(() => {
      vi.advanceTimersByTime(NOT_AUTHORIZED_DELAY_MS - 1);
    });
    expect(screen.queryByText('Not Authorized')).toBeNull();
    act(() => {
      vi.advanceTimersByTime(1);
    });
    expect(NOT_AUTHORIZED_DELAY_MS).toBe(400);
    expect(screen.getByText('Not Authorized')).toBeDefined();
    expect(screen.getByText("You don't have access to this page.")).toBeDefined();
    expect(screen.queryByText('the page')).toBeNull();
  });
});
