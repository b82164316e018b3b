// A report's cell, as a search parameter that opens the drawer explaining it.
import { isDay, type Range } from './dates';

export interface Cell extends Range {
  /** Null is all stores of the report. */
  storeId: string | null;
  /** Null is all items: a figure of the sum row. */
  itemId: string | null;
}

const ALL = '*';

export function writeCell({ from, to, storeId, itemId }: Cell): string {
  // The item comes last: unmapped items have free text as ids.
  return [from, to, storeId ?? ALL, itemId ?? ALL].join('_');
}

export function readCell(text: string): Cell | null {
  const [from = '', to = '', store = '', ...item] = text.split('_');
  const itemId = item.join('_');
  if (!isDay(from) || !isDay(to) || from > to || !store || !itemId) return null;
  return {
    from,
    to,
    storeId: store === ALL ? null : store,
    itemId: itemId === ALL ? null : itemId,
  };
}
