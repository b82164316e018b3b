// Suggestions and stock of the order guide in the unit that is ordered.
import type { GuideItem } from './orders';

/** Rounding errors of division are smaller. */
const DUST = 1e-9;

/**
 * The suggested quantity in one of the item's units; null without one. Where an earlier answer names it for the default
 * unit only, it is converted, and rounded up to what the unit allows.
 */
export function suggestedIn(item: GuideItem, uomId: string): number | null {
  const unit = item.units.find((one) => one.uomId === uomId);
  if (unit?.suggested !== undefined) return unit.suggested;
  if (item.suggested == null) return null;
  if (!unit || unit.factor === item.factor) return item.suggested;
  const exact = (item.suggested * item.factor) / unit.factor;
  return unit.whole ? Math.ceil(exact - DUST) : Math.ceil(exact * 1000 - DUST) / 1000;
}

/** A stock figure in one of the item's units, to the tenth; in the stock unit where it cannot be converted. */
export function stockIn(
  item: GuideItem,
  figure: number,
  uomId: string,
): { value: number; unit: string } {
  const unit = item.units.find((one) => one.uomId === uomId);
  if (!unit || !item.stockPerBase) return { value: figure, unit: item.stockUnit ?? '' };
  const value = figure / (item.stockPerBase * unit.factor);
  return { value: Math.round(value * 10) / 10, unit: unit.code };
}
