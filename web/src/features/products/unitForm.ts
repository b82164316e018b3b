import type { FormValues, SubRow } from '#/form/types';
import { numberOf, plainNumber } from '#/ui/numberInput';
import type { Product } from './api';
import { check, FACTOR_PLACES, type Line, parseFixed } from './units';

/** A product's units, for the drawing and the converter. */
export interface UnitSet {
  base: string | null;
  selling: string | null;
  others: readonly string[];
  lines: readonly PlacedLine[];
}

/** A conversion with its index among the product's. */
export interface PlacedLine extends Line {
  at: number;
}

const text = (value: unknown) => (typeof value === 'string' && value.trim()) || null;

/** A typed factor in billionths. */
export function readFactor(typed: string | null | undefined): bigint | null {
  const value = numberOf(typed ?? '', 'factor');
  return value === null ? null : parseFixed(plainNumber(value), FACTOR_PLACES);
}

function rowsOf(values: FormValues, name: string): SubRow[] {
  return (values[name] ?? []) as SubRow[];
}

const complete = (row: SubRow) =>
  Boolean(row.fromUomId && row.toUomId) && readFactor(row.factor) !== null;

/** The units of a form; incomplete conversions are left out. */
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
 * Problems of a form's units by field path. An incomplete conversion keeps its index, so that the others
 * keep theirs, but is not checked.
 */
export function unitProblems(values: FormValues): Record<string, string> {
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
