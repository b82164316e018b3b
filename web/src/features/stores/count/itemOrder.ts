// The counting order of items, and the search by words or code.
import type { CountModel } from './countModel';
import type { Item } from './types';

/** The ids that match the search; null when there is no search. */
export type ItemFilter = ReadonlySet<string> | null;

/** The items that pass the filter, in counting order. */
export function shownItems(book: CountModel, found: ItemFilter): readonly Item[] {
  return found ? book.items().filter(({ id }) => found.has(id)) : book.items();
}

/** Matches items that have every word in their name, code or barcode. */
export function filterItems(items: readonly Item[] | undefined, typed: string): ItemFilter {
  const words = typed.trim().toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0 || !items) return null;
  const hits = items.filter(({ name, code, barcode }) => {
    const text = `${name} ${code ?? ''} ${barcode ?? ''}`.toLowerCase();
    return words.every((word) => text.includes(word));
  });
  return new Set(hits.map(({ id }) => id));
}

/** The item before or after this one. */
export function neighbourOf(
  book: CountModel,
  found: ItemFilter,
  id: string | null,
  by: 1 | -1,
): Item | undefined {
  const order = shownItems(book, found);
  return order[order.findIndex((item) => item.id === id) + by];
}

/** The first item that is not counted yet, other than `but`. */
export function firstUncounted(book: CountModel, but: string | null = null): Item | undefined {
  return book.items().find(({ id }) => id !== but && !book.row(id).counted);
}

/** The item with this barcode, else with this code; letter case does not matter. */
export function itemByCode(items: readonly Item[], read: string): Item | undefined {
  const wanted = normalizeCode(read);
  if (!wanted) return undefined;
  return (
    items.find(({ barcode }) => barcode && normalizeCode(barcode) === wanted) ??
    items.find(({ code }) => code && normalizeCode(code) === wanted)
  );
}

/** A twelve-digit UPC is the thirteen-digit EAN with a leading zero. */
function normalizeCode(code: string): string {
  const text = code.trim().toLowerCase();
  return /^0?\d{12}$/.test(text) ? text.padStart(13, '0') : text;
}
