// The way through the items: what comes next, and what a code stands for.
import type { Book } from './book';
import type { Item } from './types';

export type Found = ReadonlySet<string> | null;

/** The items that are shown, in their order. */
export function shownOf(book: Book, found: Found): readonly Item[] {
  return found ? book.items().filter(({ id }) => found.has(id)) : book.items();
}

/** The items that have each of the words in their name, code or barcode; null when nothing is looked for. */
export function find(items: readonly Item[] | undefined, typed: string): Found {
  const words = typed.trim().toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0 || !items) return null;
  const hits = items.filter(({ name, code, barcode }) => {
    const text = `${name} ${code ?? ''} ${barcode ?? ''}`.toLowerCase();
    return words.every((word) => text.includes(word));
  });
  return new Set(hits.map(({ id }) => id));
}

/** The item before or after this one. */
export function beside(book: Book, found: Found, id: string | null, by: 1 | -1): Item | undefined {
  const order = shownOf(book, found);
  return order[order.findIndex((item) => item.id === id) + by];
}

/** The first that is not counted yet, this one left aside. */
export function firstOpen(book: Book, but: string | null = null): Item | undefined {
  return book.items().find(({ id }) => id !== but && !book.row(id).counted);
}

/** What a scanner has read, or somebody has read out: a barcode, else a code, however it is written. */
export function byCode(items: readonly Item[], read: string): Item | undefined {
  const wanted = plain(read);
  if (!wanted) return undefined;
  return (
    items.find(({ barcode }) => barcode && plain(barcode) === wanted) ??
    items.find(({ code }) => code && plain(code) === wanted)
  );
}

/** A UPC of twelve digits is an EAN of thirteen with a nought before it. */
function plain(code: string): string {
  const text = code.trim().toLowerCase();
  return /^0?\d{12}$/.test(text) ? text.padStart(13, '0') : text;
}
