import { describe, expect, it } from 'vitest';
import type { Movement } from '../api';
import { dailyBalances } from './balances';

const moved = (day: string, qty: number, placeKind = 'commissary') =>
  ({ postedAt: `${day}T04:00:00Z`, qty, placeKind }) as Movement;

describe('daily balances', () => {
  it('are computed backwards from the present quantity', () => {
    const movements = [moved('2026-11-20', -0.1), moved('2026-11-18', 5), moved('2026-11-18', 7.3)];
    expect(dailyBalances(movements, 12.2, true, '2026-11-20')).toEqual([
      { day: '2026-11-17', qty: 0 },
      { day: '2026-11-18', qty: 12.3 },
      { day: '2026-11-19', qty: 12.3 },
      { day: '2026-11-20', qty: 12.2 },
    ]);
  });

  it('leave out other places, and days before the first known movement', () => {
    const movements = [
      moved('2026-11-20', 3),
      moved('2026-11-19', 8, 'store'),
      moved('2026-11-19', 1),
    ];
    expect(dailyBalances(movements, 40, false, '2026-11-20')).toEqual([
      { day: '2026-11-19', qty: 37 },
      { day: '2026-11-20', qty: 40 },
    ]);
    expect(dailyBalances([], 0, true)).toEqual([]);
  });

  it("use the stores' days, not the server's", () => {
    const late = { ...moved('2026-11-19', 2), postedAt: '2026-11-19T17:00:00Z' };
    expect(dailyBalances([late], 2, true, '2026-11-20').map(({ qty }) => qty)).toEqual([0, 2]);
  });
});
