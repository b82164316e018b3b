import type { FormValues, SubRow } from '#/form/types';
import type { Product } from './api';
import { check, FACTOR, type Line, parseFixed } from './units';

/** What the drawing and the converter are told of a product's units. */
export interface UnitSet {
  base: string | null;
  selling: string | null;
  others: readonly string[];
  lines: readonly PlacedLine[];
}

/** A line, and where it stands among those of the product. */
export interface PlacedLine extends Line {
  at: number;
}

const text = (value: unknown) => (typeof value === 'string' && value.trim()) || null;

/** A factor as it was typed: digits with one decimal point or comma. */
export function readFactor(typed: string | null | undefined): bigint | null {
  return parseFixed((typed ?? '').trim().replace(',', '.'), FACTOR);
}

function rowsOf(values: FormValues, name: string): SubRow[] {
  return (values[name] ?? []) as SubRow[];
}

const complete = (row: SubRow) =>
  Boolean(row.fromUomId && row.toUomId) && readFactor(row.factor) !== null;

/** The units of a form; lines that are not written out yet tie nothing. */
export function unitsOfForm(values: FormValues): UnitSet {
  return {
    base: text(values.baseUom),
    selling: text(values.defaultSellingUom),
    others: rowsOf(values, 'otherUoms').flatMap(({ uomId }) => uomId ?? []),
    lines: rowsOf(values, 'conversions').flatMap((row, at) =>
      complete(row) ? { ...asLine(row), at } : [],
    ),
  };
}

export function unitsOf(product: Product): UnitSet {
  return {
    base: product.baseUom ?? null,
    selling: product.defaultSellingUom ?? null,
    others: product.otherUoms.map(({ uomId }) => uomId),
    lines: product.conversions.map(({ fromUomId, toUomId, factor }, at) => ({
      at,
      from: fromUomId,
      to: toUomId,
      factor: BigInt(Math.round(factor * 1e9)),
    })),
  };
}

function asLine(row: SubRow): Line {
  return {
    from: row.fromUomId ?? '',
    to: row.toUomId ?? '',
    factor: readFactor(row.factor) ?? 0n,
  };
}

/**
 * What is wrong with the units of a form, by the path of the field. A line that is still being
 * written keeps its place, so that the others keep their numbers, but is not judged.
 */
export function findingsOf(values: FormValues): Record<string, string> {
  const rows = rowsOf(values, 'conversions');
  const others = rowsOf(values, 'otherUoms');
  const written = rows.some(({ fromUomId, toUomId, factor }) => fromUomId || toUomId || factor);
  const found = check({
    base: text(values.baseUom),
    selling: text(values.defaultSellingUom),
    others: others.map(({ uomId }, i) => uomId ?? `${i}?`),
    conversions: written
      ? rows.map((row, i) =>
          complete(row) ? asLine(row) : { from: `${i}?from`, to: `${i}?to`, factor: 0n },
        )
      : [],
  });
  const judged = ({ field }: { field: string }) => {
    const [name, at] = field.split('.');
    if (name === 'conversions') return complete(rows[Number(at)] ?? {});
    if (name === 'otherUoms') return Boolean(others[Number(at)]?.uomId);
    return true;
  };
  const wrong: Record<string, string> = {};
  for (const finding of found.filter(judged)) wrong[finding.field] ??= finding.message;
  return wrong;
}
