import { expect, it } from 'vitest';
import { inForce, standingOf } from './standing';

it('an override is upcoming, current or past', () => {
  const days = { from: '2026-11-20', to: '2026-11-25' };
  const on = ['2026-11-19', '2026-11-20', '2026-11-25', '2026-11-26'];
  expect(on.map((today) => standingOf(days, today))).toEqual(['coming', 'now', 'now', 'over']);
  expect(on.map((today) => inForce(days, today))).toEqual([true, true, true, false]);
});
