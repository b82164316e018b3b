import { render, screen } from '@testing-library/react';
import { expect, it } from 'vitest';
import type { CmsrDay, Content, Layout } from './api';
import { Month } from './Month';

const columns = [
  { figure: 'gross', title: 'Gross sales' },
  { figure: 'vip', title: 'VIP discount' },
  { figure: 'localTax', title: 'Local tax' },
] as Layout['columns'];
const day = (date: string, gross: number, localTax = 0) =>
  ({
    date,
    readings: 1,
    waiting: 0,
    closed: false,
    missing: false,
    corrections: {},
    figures: { gross, vip: 0, localTax },
  }) as unknown as CmsrDay;
const content = (days: readonly CmsrDay[]) =>
  ({
    days,
    total: {
      gross: days.reduce((sum, { figures }) => sum + (figures.gross ?? 0), 0),
      vip: 0,
      localTax: 0,
    },
  }) as unknown as Content;

it('keeps columns without figures for paper and names them', () => {
  render(
    <Month content={content([day('2026-11-01', 5), day('2026-11-02', 6)])} columns={columns} />,
  );
  expect(screen.getByRole('rowheader', { name: '1 Nov 2026' })).toBeTruthy();
  const onPaper = screen
    .getAllByRole('columnheader')
    .filter((head) => head.hasAttribute('data-paper'));
  expect(onPaper.map(({ textContent }) => textContent)).toEqual(['VIP discount', 'Local tax']);
  expect(screen.getByText(/^Nothing in VIP discount, Local tax\./)).toBeTruthy();
});

it('says in which reading the sales of a day without its own are', () => {
  const covered = { ...day('2026-11-07', 0), readings: 0, readOn: '2026-11-08' } as CmsrDay;
  render(<Month content={content([covered, day('2026-11-08', 9)])} columns={columns} />);
  const row = screen.getByRole('row', { name: /^7 Nov 2026/ });
  expect(row.textContent).toContain('in the reading of 8 Nov 2026');
  expect(row.querySelector('td')?.textContent).toBe('–');
});

it('shows a column whose days come to zero together, and all of a month without figures', () => {
  const { unmount } = render(
    <Month
      content={content([day('2026-11-01', 5, 2), day('2026-11-02', 6, -2)])}
      columns={columns}
    />,
  );
  expect(screen.getByText(/^Nothing in VIP discount\./)).toBeTruthy();
  unmount();
  render(<Month content={content([day('2026-11-01', 0)])} columns={columns} />);
  expect(screen.queryByText(/^Nothing in/)).toBeNull();
});
