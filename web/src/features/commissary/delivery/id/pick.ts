import { type Barcodes, codeKey, NO_BARCODES } from '#/api/barcodes';
import type { ShipmentLine } from '#/documents/deliveries';

/**
 * The line of a scanned or typed code: by barcode, SKU or lot, else by a part of the name. Open lines come first, and of a
 * barcode's product those in its unit.
 */
export function lineOfCode(
  lines: readonly ShipmentLine[],
  open: readonly ShipmentLine[],
  code: string,
  barcodes: Barcodes = NO_BARCODES,
): ShipmentLine | 'several' | null {
  const wanted = code.trim().toLowerCase();
  if (!wanted) return null;
  const same = (text: string | null | undefined) => text?.toLowerCase() === wanted;
  const bySku = (line: ShipmentLine) => same(line.sku);
  const byLot = (line: ShipmentLine) => same(line.lot);
  const known = barcodes.get(codeKey(code));
  const ofProduct = (line: ShipmentLine) => line.productId === known?.productId;
  const ofUnit = (line: ShipmentLine) => ofProduct(line) && line.uomId === known?.uomId;
  const byName = (line: ShipmentLine) => line.name.toLowerCase().includes(wanted);
  for (const is of [ofUnit, ofProduct, bySku, byLot, byName]) {
    const found = open.filter(is);
    // Lots of one product are picked in the proposed order.
    const products = new Set(found.map(({ productId }) => productId));
    if (found[0] && products.size === 1) return found[0];
    if (products.size > 1) return 'several';
    const again = lines.find(is);
    if (again) return again;
  }
  return null;
}
