// Barcodes of products: which product, and which unit of it, a scanned code stands for.
import { requestAt } from './client';

export interface ProductBarcode {
  code: string;
  productId: string;
  /** The unit that it is printed on. */
  uomId: string;
}

/** Barcodes by `codeKey`. */
export type Barcodes = ReadonlyMap<string, ProductBarcode>;

export const NO_BARCODES: Barcodes = new Map();

/** The barcodes of all active products. */
export const askBarcodes = (signal?: AbortSignal) =>
  requestAt<{ items: ProductBarcode[] }>('GET', '/api/products/barcodes', { signal });

/** A code as codes are compared, as the server does: one number may come with zeros before it. */
export function codeKey(code: string): string {
  const text = code.trim().toLowerCase();
  if (/^\d{12}$/.test(text)) return `0${text}`;
  return /^0\d{13}$/.test(text) ? text.slice(1) : text;
}

export const byCode = (items: readonly ProductBarcode[]): Barcodes =>
  new Map(items.map((item) => [codeKey(item.code), item]));

/** What is known of a line that a scan may mean; devices may hold lines without the ids. */
export interface Scannable {
  productId?: string | undefined;
  uomId?: string | null | undefined;
  sku?: string | null | undefined;
}

/**
 * The line that a scanned code stands for: of the product with this barcode the line in its unit, else its first; without
 * such a product, the line with this SKU.
 */
export function scannedLine<T extends Scannable>(
  lines: readonly T[],
  code: string,
  barcodes: Barcodes,
): T | undefined {
  const key = codeKey(code);
  const known = barcodes.get(key);
  const of = known ? lines.filter(({ productId }) => productId === known.productId) : [];
  return (
    of.find(({ uomId }) => uomId === known?.uomId) ??
    of[0] ??
    lines.find(({ sku }) => Boolean(sku) && codeKey(sku ?? '') === key)
  );
}
