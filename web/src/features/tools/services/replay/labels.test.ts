import { describe, expect, it } from 'vitest';
import type { Policy, Result, Rule } from './api';
import { estimateLabel } from './estimateLabel';
import { against, groundLabels, isInUse, policyLabel, verdictLabel } from './labels';

const policy = (values: Partial<Policy>): Policy => ({
  name: 'Plan',
  method: null,
  serviceLevel: null,
  leadDays: null,
  reviewDays: null,
  packs: true,
  actual: false,
  fillRate: 0.98,
  outDays: 20,
  averageStockAmount: 1000,
  wasteAmount: 0,
  lostAmount: 0,
  estimatedAmount: 0,
  orders: 5,
  orderDays: 5,
  days: 100,
  ...values,
});
const really = policy({ name: 'Really', actual: true, outDays: 30 });
const result = (policies: Policy[], verdict: string | null = null): Result => ({
  from: '2026-10-01',
  to: '2026-10-31',
  stores: 2,
  items: 3,
  series: 5,
  leftOut: 0,
  itemDays: 500,
  estimatedOpenings: 0,
  unpriced: 0,
  policies,
  byStore: [],
  rootItems: [],
  verdict,
});

describe("a replay's verdict", () => {
  it('says when a policy was better with no more stock', () => {
    const told = verdictLabel(result([really, policy({})], '“Plan” would have had 20.'));
    expect(told).toEqual({ tone: 'ok', words: '“Plan” would have had 20.' });
  });

  it('says when none was, and which came closest', () => {
    const dear = policy({ name: 'Dear', outDays: 10, averageStockAmount: 1500 });
    expect(verdictLabel(result([really, dear], 'None.')).words).toBe(
      'None. “Dear” had 20 fewer days out of stock, but ₱500 more stock.',
    );
    const worse = policy({ name: 'Worse', outDays: 31, averageStockAmount: 900 });
    expect(verdictLabel(result([really, worse], 'None.'))).toEqual({
      tone: 'warn',
      words: 'None. The best of them, “Worse”, had 1 more day out of stock and ₱100 less stock.',
    });
  });

  it('judges only what was compared', () => {
    expect(verdictLabel(result([policy({})])).tone).toBe('neutral');
  });

  it('leaves it to the conclusion to say what was left out', () => {
    const conclusion = 'Left out: 1 of 6 items, because no product brings them alone.';
    const labels = groundLabels({ ...result([really]), leftOut: 1, conclusion });
    expect(labels.join(' ')).not.toContain('could not be replayed');
  });

  it('states the data behind it', () => {
    expect(groundLabels({ ...result([really]), leftOut: 1, unpriced: 2 })).toEqual([
      '3 root items in 2 stores, 5 together, from 1 Oct 2026 to 31 Oct 2026.',
      '1 of 6 items of stores could not be replayed.',
      '2 items of stores have no price and are left out of amounts and service level.',
    ]);
  });
});

describe('a policy', () => {
  it('is described with its settings', () => {
    expect(policyLabel(policy({ serviceLevel: 0.995, leadDays: 1, packs: false }))).toBe(
      'Aims at 99.5%, weekday average, lead 1 day, packs not counted',
    );
  });

  it('is compared with the actual orders', () => {
    expect(against(171, 85, 'count')).toBe('+86');
    expect(against(900, 1000, 'share')).toBe('−10.0%');
    expect(against(0.977, 0.994, 'points')).toBe('−1.7 points');
    expect(against(5, 5, 'count')).toBe('same');
    expect(against(5, 0, 'share')).toBe('');
    expect(against(null, 0.9, 'points')).toBe('');
  });

  it('is in use if the rule has the same settings', () => {
    const rule = { serviceLevel: 0.95, method: 'dow_ma', leadDays: 2 } as Rule;
    expect(isInUse(policy({}), rule)).toBe(true);
    expect(isInUse(policy({ leadDays: 1 }), rule)).toBe(false);
    expect(isInUse(policy({ serviceLevel: 0.9 }), rule)).toBe(false);
    expect(isInUse(policy({}), undefined)).toBe(false);
    expect(isInUse(really, rule)).toBe(false);
  });
});

describe('the estimate', () => {
  const estimate = {
    seconds: 44,
    series: 1267,
    playable: 1,
    leftOut: 0,
    days: 91,
    from: '2026-08-26',
    to: '2026-11-24',
  };

  it('is shown before the start', () => {
    expect(estimateLabel(estimate, true)).toBe(
      'Takes about 44 s: 1,267 items of stores over 91 days, 26 Aug 2026 to 24 Nov 2026. Models are fitted again for every week. You can leave the page meanwhile.',
    );
    expect(estimateLabel({ ...estimate, seconds: 0.4 }, true)).toMatch(/^Takes under a second: /);
    expect(estimateLabel({ ...estimate, series: 0 }, false)).toMatch(/^Nothing was sold/);
  });
});
