import { describe, expect, it } from 'vitest';
import type { OnHand } from './api';
import { isToCheck } from './columns';

const row = (more: object) =>
  ({ close: 0, variance: 0, lastCount: { qty: 4 }, ...more }) as unknown as OnHand;

describe('figures to check', () => {
  it('are unlikely counts that were not expected, and those with an open question', () => {
    expect(isToCheck(row({}))).toBe(false);
    expect(isToCheck(row({ variance: 40, lastCount: { qty: 400, unlike: 4 } }))).toBe(true);
    expect(isToCheck(row({ variance: 1, lastCount: { qty: 400, unlike: 4 } }))).toBe(false);
    expect(isToCheck(row({ close: 1 }))).toBe(true);
    expect(isToCheck(row({ close: 1, lastCount: null }))).toBe(true);
  });
});
