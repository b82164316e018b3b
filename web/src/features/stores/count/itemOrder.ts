// The counting order of items, and the search by words or code.
import { codeKey } from '#/api/barcodes';
import type { CountModel } from './countModel';
import { BASE_UNIT } from './draft';
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
  const hits = items.filter(({ name, code, barcode, productBarcodes = [] }) => {
    const codes = productBarcodes.map((one) => one.code).join(' ');
    const text = `${name} ${code ?? ''} ${barcode ?? ''} ${codes}`.toLowerCase();
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

/**
 * The item with this barcode, else of the product with it, else with this code; letter case does not matter. Of several
 * items of one product, the one that is counted in the barcode's unit.
 */
export function itemByCode(items: readonly Item[], read: string): Item | undefined {
  const wanted = codeKey(read);
  if (!wanted) return undefined;
  const ofProduct = items.filter((item) => productCode(item, wanted));
  return (
    items.find(({ barcode }) => barcode && codeKey(barcode) === wanted) ??
    ofProduct.find((item) => unitByCode(item, wanted) !== null) ??
    ofProduct[0] ??
    items.find(({ code }) => code && codeKey(code) === wanted)
  );
}

const productCode = ({ productBarcodes = [] }: Item, wanted: string) =>
  productBarcodes.find(({ code }) => codeKey(code) === wanted);

/** The field of an item for the unit that a barcode is printed on; null if it has none. */
export function unitByCode(item: Item, read: string): string | null {
  const uomId = productCode(item, codeKey(read))?.uomId;
  if (!uomId) return null;
  if (uomId === item.uomId) return BASE_UNIT;
  return item.packs.some((pack) => pack.uomId === uomId) ? uomId : null;
}
