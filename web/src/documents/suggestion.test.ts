import { describe, expect, it } from 'vitest';
import type { GuideItem, GuideUnit } from './orders';
import { stockIn, suggestedIn } from './suggestion';

const unit = (uomId: string, factor: number, more: Partial<GuideUnit> = {}): GuideUnit => ({
  uomId,
  code: uomId,
  factor,
  whole: true,
  ...more,
});

/** Buns, ordered by the case of 24 pieces and counted in dozens. */
const buns = (units: GuideUnit[]) =>
  ({
    uomId: 'case',
    factor: 24,
    suggested: 2,
    stockUnit: 'dozen',
    stockPerBase: 1 / 12,
    units,
  }) as GuideItem;

describe('a suggestion', () => {
  it('is in the unit that is ordered', () => {
    const units = [
      unit('case', 24),
      unit('pc', 1),
      unit('tray', 30),
      unit('kg', 5, { whole: false }),
    ];
    const item = buns(units);
    expect(['case', 'pc', 'tray', 'kg'].map((id) => suggestedIn(item, id))).toEqual([
      2, 48, 2, 9.6,
    ]);
  });

  it('is what the server says for the unit', () => {
    const item = buns([unit('case', 24, { suggested: 2 }), unit('pc', 1, { suggested: 30 })]);
    expect([suggestedIn(item, 'case'), suggestedIn(item, 'pc')]).toEqual([2, 30]);
    expect(suggestedIn(buns([unit('pc', 1, { suggested: null })]), 'pc')).toBeNull();
    expect(suggestedIn({ ...buns([unit('pc', 1)]), suggested: null }, 'pc')).toBeNull();
  });
});

describe('stock', () => {
  it('is in the unit that is ordered as well', () => {
    const item = buns([unit('case', 24), unit('pc', 1)]);
    // 5 dozens are 60 pieces.
    expect(stockIn(item, 5, 'case')).toEqual({ value: 2.5, unit: 'case' });
    expect(stockIn(item, 5, 'pc')).toEqual({ value: 60, unit: 'pc' });
    expect(stockIn({ ...item, stockPerBase: null }, 5, 'case')).toEqual({
      value: 5,
      unit: 'dozen',
    });
  });
});
