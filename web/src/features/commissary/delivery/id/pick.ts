import type { ShipmentLine } from '#/documents/deliveries';

/** The line of a scanned or typed code: by SKU or lot, else by a part of the name. Open lines come first. */
export function lineOfCode(
  lines: readonly ShipmentLine[],
  open: readonly ShipmentLine[],
  code: string,
): ShipmentLine | 'several' | null {
  const wanted = code.trim().toLowerCase();
  if (!wanted) return null;
  const same = (text: string | null | undefined) => text?.toLowerCase() === wanted;
  const bySku = (line: ShipmentLine) => same(line.sku);
  const byLot = (line: ShipmentLine) => same(line.lot);
  const byName = (line: ShipmentLine) => line.name.toLowerCase().includes(wanted);
  for (const is of [bySku, byLot, byName]) {
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
