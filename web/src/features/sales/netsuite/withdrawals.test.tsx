// @vitest-environment jsdom
import { MantineProvider } from '@mantine/core';
import { fireEvent, render, screen, waitFor } from '@testing-library/react';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { type Day, type Layout, type Sent, withdraw } from './api';
import { WithdrawDialog } from './WithdrawDialog';
import { countsOf, leavingOf, mayGo, recordOf, requestsOf } from './withdrawals';

vi.mock('./api', async (load) => ({
  ...(await load<typeof import('./api')>()),
  withdraw: vi.fn(),
}));

const PREFIX: Record<Layout, string> = { cashSale: 'CS', invoice: 'INV', journalEntry: 'JE' };

const sent = (layout: Layout, withdrawn: Sent['withdrawn'] = null): Sent => ({
  layout,
  externalId: `${PREFIX[layout]}-MKT`,
  state: 'exported',
  exportedAt: '2025-02-03T02:00:00Z',
  withdrawn,
});

/** A day, with what withdrawing looks at. */
const day = (date: string, sentAs: Sent[], reasons: string[] = []) =>
  ({ storeId: 's', storeName: 'Makati', date, reasons, lines: 2, sentAs }) as Day;

const gone = { at: '2025-02-04T02:00:00Z', by: 'Ana', reason: 'Wrong layout' };
const rows = [
  day('2025-02-01', [sent('cashSale')]),
  day('2025-02-02', [sent('cashSale'), sent('invoice')]),
  day('2025-02-03', [sent('invoice', gone)]),
  day('2025-02-04', []),
];

describe('records to withdraw', () => {
  it('are those of the layout, else those of the one a day went as', () => {
    const names = rows.map((row) => recordOf(row, 'invoice')?.externalId);
    expect(names).toEqual(['CS-MKT', 'INV-MKT', undefined, undefined]);
    expect(countsOf(leavingOf(rows, 'invoice'))).toBe('1 day as Cash Sale, 1 day as Invoice');
    expect(countsOf(leavingOf(rows, 'cashSale'))).toBe('2 days as Cash Sale');
  });

  it('go in requests of at most 1,000 days, and are counted together', () => {
    const [record] = leavingOf(rows, 'invoice');
    if (!record) throw new Error('there is none');
    const many = Array.from({ length: 2001 }, () => record);
    const sizes = requestsOf(many, 'Twice').map(({ days }) => days.length);
    expect(sizes).toEqual([1000, 1000, 1]);
    expect(countsOf(many)).toBe('2,001 days as Cash Sale');
  });

  it('keep a day that has one from going in another layout', () => {
    expect(mayGo(day('2025-02-01', [sent('cashSale')], ['Went out as Cash Sale']))).toBe(false);
    expect(mayGo(day('2025-02-04', []))).toBe(true);
    expect(mayGo({ ...day('2025-02-04', []), lines: 0 })).toBe(false);
  });
});

describe('the dialog', () => {
  const [done, close] = [vi.fn(), vi.fn()];
  beforeEach(() => {
    vi.mocked(withdraw).mockReset().mockResolvedValue({ externalIds: [] });
    render(
      <MantineProvider env="test">
        <WithdrawDialog records={leavingOf(rows, 'invoice')} onDone={done} onClose={close} />
      </MantineProvider>,
    );
  });

  it('withdraws from each layout, with the reason', async () => {
    expect(screen.getByText('1 day as Cash Sale, 1 day as Invoice.')).toBeTruthy();
    fireEvent.change(screen.getByLabelText('Why'), { target: { value: 'Wrong layout' } });
    fireEvent.click(screen.getByRole('button', { name: 'Withdraw records' }));
    await waitFor(() => expect(done).toHaveBeenCalledOnce());
    expect(close).toHaveBeenCalledOnce();
    const reason = 'Wrong layout';
    expect(vi.mocked(withdraw).mock.calls.map(([json]) => json)).toEqual([
      { layout: 'cashSale', reason, days: [{ storeId: 's', date: '2025-02-01' }] },
      { layout: 'invoice', reason, days: [{ storeId: 's', date: '2025-02-02' }] },
    ]);
  });
});
