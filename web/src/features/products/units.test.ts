import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  check,
  FACTOR_PLACES,
  formatFixed,
  type Line,
  parseFixed,
  QTY_PLACES,
  type UnitProblem,
  Units,
} from './units';

interface Reads {
  qty?: string;
  from: string;
  to: string;
  gives: string | null;
}

interface Case {
  name: string;
  baseUom?: string;
  defaultSellingUom?: string;
  otherUoms?: string[];
  conversions?: { fromUomId: string; toUomId: string; factor: string }[];
  findings: UnitProblem[];
  factors?: Reads[];
  converts?: Reads[];
}

const file = '../../../../crates/domain/tests/vectors/units.json';
const cases = JSON.parse(readFileSync(join(import.meta.dirname, file), 'utf8')) as Case[];
const fixed = (text: string, places: number) => parseFixed(text, places) ?? 0n;
const said = (value: bigint | null, places: number) => value !== null && formatFixed(value, places);

/** The server's own tests read the same file. */
describe('units, by the vectors shared with the server', () => {
  it('are complete', () => {
    expect(cases.length).toBeGreaterThan(20);
  });

  it.each(cases)('$name', (one) => {
    const conversions: Line[] = (one.conversions ?? []).map(({ fromUomId, toUomId, factor }) => ({
      from: fromUomId,
      to: toUomId,
      factor: fixed(factor, FACTOR_PLACES),
    }));
    const found = check({
      base: one.baseUom ?? null,
      selling: one.defaultSellingUom ?? null,
      others: one.otherUoms ?? [],
      conversions,
    });
    expect(found).toEqual(one.findings);
    const units = new Units(one.baseUom ?? '', conversions);
    for (const { from, to, gives } of one.factors ?? []) {
      expect([from, to, said(units.factor(from, to), FACTOR_PLACES) || null]).toEqual([
        from,
        to,
        gives,
      ]);
    }
    for (const { qty = '', from, to, gives } of one.converts ?? []) {
      const converted = units.convert(fixed(qty, QTY_PLACES), from, to);
      expect([qty, from, to, said(converted, QTY_PLACES) || null]).toEqual([qty, from, to, gives]);
    }
  });
});

describe('units', () => {
  it('parse and format decimals exactly', () => {
    expect(parseFixed('0.333333333', FACTOR_PLACES)).toBe(333_333_333n);
    expect(parseFixed('-12.50', QTY_PLACES)).toBe(-12_500_000n);
    expect(parseFixed('.5', QTY_PLACES)).toBe(500_000n);
    for (const wrong of ['', '.', '-', '1e3', '0.0000001', '1,5', 'x']) {
      expect(parseFixed(wrong, QTY_PLACES)).toBeNull();
    }
    expect(formatFixed(-1n, QTY_PLACES)).toBe('-0.000001');
    expect(formatFixed(48_000_000n, QTY_PLACES)).toBe('48');
  });

  it('do not depend on the order of the lines', () => {
    const third: Line[] = [
      { from: 'a', to: 'pc', factor: 3_000_000_000n },
      { from: 'b', to: 'a', factor: 333_333_333n },
      { from: 'c', to: 'b', factor: 3_000_000_000n },
      { from: 'c', to: 'pc', factor: 3_000_000_000n },
    ];
    const all = (lines: Line[]) => {
      const units = new Units('pc', lines);
      return units.all().map((unit) => [unit, units.factor(unit, 'pc')]);
    };
    expect(Object.fromEntries(all(third))).toEqual(Object.fromEntries(all([...third].reverse())));
  });
});
