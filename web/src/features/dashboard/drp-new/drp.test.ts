import { describe, expect, it } from 'vitest';
import { busiest, figuresOf, needOf } from './kitchenFigures';
import { sumRows } from './LineDrawer';
import { fromLabel, scopeLabel, sentence, shownValue } from './labels';
import { coverLevel } from './risk';
import type { PlanLine } from './wire';

const line: PlanLine = {
  id: 'l',
  storeId: 's',
  productId: 'p',
  name: 'Chicken',
  sku: null,
  rootItemId: 'r',
  unit: 'kg',
  uomId: 'u',
  uomCode: 'case',
  factor: 1,
  forecast: 188,
  safetyStock: 29.42,
  target: 217.42,
  onHand: 32,
  unusable: 0,
  close: 0,
  inTransit: 24,
  inTransitLater: 0,
  onOrder: 48,
  committed: 6,
  estimatedUse: 0,
  estimatedDays: 0,
  later: 0,
  short: 0,
  position: 98,
  pack: 24,
  suggested: 5,
  coverDays: 2.6,
  stockOutDate: '2026-11-27',
  atRisk: true,
  caps: [],
  neededDate: '2026-11-26',
  nextDate: null,
  outWithoutOrder: null,
  outWithOrder: null,
  outlook: null,
  sourceType: 'commissary',
  sourceId: 'c',
  amount: 100,
  why: [],
  orderId: null,
  note: null,
};

describe('plan texts', () => {
  it('explain the calculation behind a suggestion', () => {
    expect(sentence(line)).toBe(
      '188 kg will be used until the next order arrives, with 29.42 kg kept in case more is sold. 32 kg on hand, 72 kg on its way or ordered. Short by 119.42 kg: order 5 case of 24 kg. Without an order it runs out on 27 Nov 2026.',
    );
    expect(sentence({ ...line, position: 300, suggested: 0, stockOutDate: null })).toContain(
      'Nothing to order.',
    );
    expect(sentence({ ...line, suggested: 3, caps: ['shelfLife', 'storage'] })).toContain(
      'held back by shelf life and storage room',
    );
  });

  it('count what is on its way only if it comes in time', () => {
    expect(sentence({ ...line, inTransitLater: 20 })).toContain('52 kg on its way or ordered');
  });

  it('take out what is expired or recalled, in words and in the sum', () => {
    const held = { ...line, unusable: 20.5, position: 77.5 };
    expect(sentence(held)).toContain(
      '32 kg on hand, less 20.5 kg expired or recalled, 72 kg on its way or ordered. Short by 139.92 kg',
    );
    for (const one of [
      line,
      held,
      { ...held, inTransitLater: 4, estimatedDays: 1, estimatedUse: 8, position: 65.5 },
    ]) {
      const rows = sumRows(one);
      const at = rows.findIndex(([, label]) => label === 'Enough would be');
      const parts = rows.slice(at + 1, -1);
      const sum = parts.reduce((all, [sign, , n]) => all + (sign === '+' ? n : -n), one.target);
      expect(sum).toBeCloseTo(rows.at(-1)?.[2] ?? 0, 6);
      expect(rows.some(([, label]) => label === 'Of this, expired or recalled')).toBe(one !== line);
    }
  });

  it('say what the server found about the days until the next delivery', () => {
    const outlook =
      'Without this order it runs out on 30 Nov 2026. With it, it lasts until the delivery of 2 Dec 2026.';
    const planned = { ...line, nextDate: '2026-12-02', outWithoutOrder: '2026-11-30', outlook };
    expect(sentence(planned)).toBe(
      `188 kg will be used until the delivery of 2 Dec 2026, with 29.42 kg kept in case more is sold. 32 kg on hand, 72 kg on its way or ordered. Short by 119.42 kg: order 5 case of 24 kg. ${outlook}`,
    );
    const none = { ...planned, position: 300, suggested: 0 };
    expect(sentence({ ...none, outlook: 'It lasts until the delivery of 2 Dec 2026.' })).toContain(
      'There is enough: 32 kg on hand, 72 kg on its way or ordered. Nothing to order. It lasts until',
    );
    const late = { ...none, outWithOrder: '2026-11-28', outlook: 'It runs out on 28 Nov 2026.' };
    expect(sentence(late)).toContain('enough, but not in time. Nothing to order. It runs out on');
    expect(sentence(late)).not.toContain('There is enough');
    expect(sentence({ ...planned, estimatedDays: 1, estimatedUse: 8 })).toContain(
      '32 kg on hand, less 8 kg estimated as used, 72 kg on its way',
    );
  });

  it("mark days by their stock and by the next day's", () => {
    expect(coverLevel(5, 3)).toBe('enough');
    expect(coverLevel(5, 0)).toBe('low');
    expect(coverLevel(0, -2)).toBe('out');
    expect(coverLevel(null, 3)).toBe('unknown');
    expect(coverLevel(5, undefined)).toBe('enough');
  });

  it("name a rule's scope and settings", () => {
    const names = { store: () => 'Cubao', category: () => 'Meat', product: () => 'Chicken' };
    const nobody = { storeId: null, categoryId: null, productId: null };
    expect(scopeLabel(nobody, names)).toBe('All stores and products');
    expect(scopeLabel({ ...nobody, storeId: 's', productId: 'p' }, names)).toBe('Chicken in Cubao');
    expect(shownValue('serviceLevel', 0.95)).toBe('95%');
    expect(shownValue('leadDays', 1)).toBe('1 day');
    expect(shownValue('max', null)).toBe('–');
    expect(shownValue('method', 'sma28')).toBe('Average of 28 days');
    expect(shownValue('percent', 40)).toBe('40%');
    expect(fromLabel('default')).toBe('the default');
    expect(fromLabel('default', true)).toBe('the rule for all stores');
  });
});

describe('the figures of a kitchen', () => {
  const none = {
    ordered: 12,
    cut: 0,
    approved: 12,
    sent: 0,
    closedShort: 0,
    toSend: 12,
    covered: 9,
    short: 3,
  };
  const labels = (more: Partial<typeof none>) =>
    figuresOf([none, { ...none, ...more }]).map(({ label }) => label);

  it('say what is covered and short of what is to be sent, and what came before it', () => {
    const supply = ['To send', 'Covered', 'Short'];
    expect(labels({})).toEqual(['Ordered', ...supply]);
    expect(labels({ cut: 2, approved: 10, toSend: 10 })).toEqual([
      'Ordered',
      'Cut',
      'Approved',
      ...supply,
    ]);
    expect(labels({ sent: 4, closedShort: 1, toSend: 7 })).toEqual([
      'Ordered',
      'Approved',
      'Sent',
      'Closed short',
      ...supply,
    ]);
  });
});

describe('what a kitchen has to do', () => {
  const net = [0, 3];
  const toBuy = { qty: 1, unit: 'case' };

  it('is by row: to make, to buy, or without a recipe', () => {
    expect(needOf({ recipeId: 'r', net })).toBe('make');
    expect(needOf({ recipeId: 'r', net: [0, 0] })).toBe('make');
    expect(needOf({ recipeId: null, toBuy, net })).toBe('buy');
    expect(needOf({ recipeId: null, toBuy: null, net })).toBe('none');
    // Covered: there is nothing to look for.
    expect(needOf({ recipeId: null, toBuy: null, net: [0, 0] })).toBe('buy');
  });

  it('decides which kitchen is shown first', () => {
    const plan = (...nets: number[][]) =>
      ({ products: nets.map((one) => ({ net: one })) }) as Parameters<typeof busiest>[0][0]['plan'];
    const idle = { id: 'idle', plan: plan([0], [0], [0]) };
    const busy = { id: 'busy', plan: plan([0, 2]) };
    expect(busiest([idle, busy])).toBe('busy');
    expect(busiest([{ id: 'failed', plan: undefined }, idle])).toBe('failed');
    expect(busiest([])).toBeNull();
  });
});
