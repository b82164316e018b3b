// Exact unit conversions of a product. They repeat the server's rules (crates/domain/src/units), so that
// a form can check while typing; the tests of both read the same vectors.

/** 1 `from` is `factor` of `to`, in billionths. */
export interface Line {
  from: string;
  to: string;
  factor: bigint;
}

/** A problem with the path of its field, such as `conversions.2.factor`. */
export interface UnitProblem {
  field: string;
  message: string;
}

/** The units a product uses. */
export interface UsedUnits {
  base: string | null;
  selling: string | null;
  others: readonly string[];
  conversions: readonly Line[];
}

/** Decimal places of a factor and of a quantity. */
export const FACTOR_PLACES = 9;
export const QTY_PLACES = 6;

const BILLION = 10n ** BigInt(FACTOR_PLACES);
/** The server's limit. */
const MOST = 1n << 63n;

/** A decimal as a count of its smallest part; null if it is invalid or has more places. */
export function parseFixed(text: string, places: number): bigint | null {
  const found = /^(-?)(\d*)\.?(\d*)$/.exec(text);
  if (!found) return null;
  const [, minus, whole = '', rest = ''] = found;
  const parts = rest.replace(/0+$/, '');
  if (whole + rest === '' || parts.length > places) return null;
  const size = BigInt(whole + parts.padEnd(places, '0'));
  return minus ? -size : size;
}

/** A count of smallest parts as a plain decimal without trailing zeros. */
export function formatFixed(value: bigint, places: number): string {
  const size = (value < 0n ? -value : value).toString().padStart(places + 1, '0');
  const rest = size.slice(-places).replace(/0+$/, '');
  return `${value < 0n ? '-' : ''}${size.slice(0, -places)}${rest && `.${rest}`}`;
}

/** A positive fraction of whole numbers of any length. */
export interface Ratio {
  above: bigint;
  below: bigint;
}

const ONE: Ratio = { above: 1n, below: 1n };
const times = (a: Ratio, b: Ratio): Ratio => ({
  above: a.above * b.above,
  below: a.below * b.below,
});
const inverse = ({ above, below }: Ratio): Ratio => ({ above: below, below: above });
const atMost = (a: Ratio, b: Ratio) => a.above * b.below <= b.above * a.below;

/** A count times this ratio, rounded half away from zero; null beyond the server's limit. */
function ofCount({ above, below }: Ratio, count: bigint): bigint | null {
  const whole = (2n * above * (count < 0n ? -count : count) + below) / (2n * below);
  if (whole >= MOST) return null;
  return count < 0n ? -whole : whole;
}

/** Rounded to nine decimals; null if that is zero or too large. */
function factorOf(ratio: Ratio): bigint | null {
  return ofCount(ratio, BILLION) || null;
}

/** The units connected to the base unit, each with its exact ratio. */
export class Units {
  readonly #ratios: ReadonlyMap<string, Ratio>;

  /**
   * Invalid lines are ignored. If lines differ within the rounding of nine decimals, the shortest chain counts, and of
   * equally long ones the first by id.
   */
  constructor(base: string, lines: readonly Line[]) {
    const near = new Map<string, Map<string, Ratio>>();
    const tie = (a: string, b: string, ratio: Ratio) => {
      const known = near.get(a) ?? new Map<string, Ratio>();
      near.set(a, known);
      if (!known.has(b)) known.set(b, ratio);
    };
    for (const { from, to, factor } of [...lines].sort(byId)) {
      if (from === to || factor <= 0n) continue;
      const ratio = { above: factor, below: BILLION };
      tie(from, to, inverse(ratio));
      tie(to, from, ratio);
    }
    const ratios = new Map([[base, ONE]]);
    let reached = [base];
    while (reached.length > 0) {
      const next = new Set<string>();
      for (const unit of reached) {
        const known = ratios.get(unit) ?? ONE;
        for (const [other, ratio] of near.get(unit) ?? []) {
          if (ratios.has(other)) continue;
          ratios.set(other, times(known, ratio));
          next.add(other);
        }
      }
      reached = [...next].sort(byText);
    }
    this.#ratios = ratios;
  }

  knows(unit: string): boolean {
    return this.#ratios.has(unit);
  }

  /** All connected units, the base first. */
  all(): string[] {
    return [...this.#ratios.keys()];
  }

  /** How many of `to` one `from` is, exactly. */
  ratio(from: string, to: string): Ratio | null {
    const [one, other] = [this.#ratios.get(from), this.#ratios.get(to)];
    return one && other ? times(one, inverse(other)) : null;
  }

  /** The same, to the nine decimals that a document's line keeps. */
  factor(from: string, to: string): bigint | null {
    const ratio = this.ratio(from, to);
    return ratio && factorOf(ratio);
  }

  /** A quantity in millionths, counted in another unit. */
  convert(qty: bigint, from: string, to: string): bigint | null {
    const ratio = this.ratio(from, to);
    return ratio && ofCount(ratio, qty);
  }
}

function byText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

function byId(a: Line, b: Line): number {
  return byText(a.from, b.from) || byText(a.to, b.to) || Number(a.factor - b.factor);
}

/** All problems of a product's units. */
export function check(used: UsedUnits): UnitProblem[] {
  const found: UnitProblem[] = [];
  const add = (field: string, message: string) => found.push({ field, message });
  const sound = soundLines(used.conversions, add);
  contradictions(used.conversions, sound, add);
  gaps(used, sound, add);
  return found;
}

type Add = (field: string, message: string) => void;

/** Lines that are valid by themselves. */
function soundLines(lines: readonly Line[], add: Add): number[] {
  const first = new Map<string, number>();
  const sound: number[] = [];
  lines.forEach(({ from, to, factor }, i) => {
    if (factor <= 0n) add(`conversions.${i}.factor`, 'Enter a factor above zero.');
    if (from === to) {
      add(
        `conversions.${i}.toUomId`,
        'Choose two different units; one of a unit is always one of itself.',
      );
      return;
    }
    const pair = JSON.stringify([from, to].sort(byText));
    const before = first.get(pair);
    if (before === undefined) {
      first.set(pair, i);
      if (factor > 0n) sound.push(i);
    } else {
      const line = `Line ${before + 1} converts these two units already; keep one of them.`;
      add(`conversions.${i}.toUomId`, line);
    }
  });
  return sound;
}

/** A conversion on a path, and whether it is used in its own direction. */
interface Step {
  line: Line;
  at: number;
  forward: boolean;
}

/** Conversions that close a cycle whose factors do not multiply to one. */
function contradictions(lines: readonly Line[], sound: readonly number[], add: Add): void {
  const tied = new Map<string, Step[]>();
  const tie = (unit: string, step: Step) => {
    const steps = tied.get(unit);
    if (steps) steps.push(step);
    else tied.set(unit, [step]);
  };
  for (const at of sound) {
    const line = lines[at];
    if (!line) continue;
    const way = wayBetween(tied, line.from, line.to);
    if (way && !agree(line, way)) {
      add(`conversions.${at}.factor`, disagreement(way));
      continue;
    }
    tie(line.from, { line, at, forward: true });
    tie(line.to, { line, at, forward: false });
  }
}

/** A shortest chain of lines from one unit to another. */
function wayBetween(tied: ReadonlyMap<string, Step[]>, from: string, to: string): Step[] | null {
  const came = new Map<string, Step>();
  let reached = [from];
  while (reached.length > 0 && !came.has(to)) {
    const next: string[] = [];
    for (const step of reached.flatMap((unit) => tied.get(unit) ?? [])) {
      const other = step.forward ? step.line.to : step.line.from;
      if (other === from || came.has(other)) continue;
      came.set(other, step);
      next.push(other);
    }
    reached = next;
  }
  const steps: Step[] = [];
  for (let unit = to; unit !== from; ) {
    const step = came.get(unit);
    if (!step) return null;
    steps.push(step);
    unit = step.forward ? step.line.from : step.line.to;
  }
  return steps.reverse();
}

/**
 * Whether a conversion agrees with a path. Nine decimals cannot express every factor, so each may be
 * within half of the ninth decimal around what was entered.
 */
function agree(line: Line, way: readonly Step[]): boolean {
  const least = ({ factor }: Line): Ratio => ({ above: factor * 2n - 1n, below: 2n * BILLION });
  const most = ({ factor }: Line): Ratio => ({ above: factor * 2n + 1n, below: 2n * BILLION });
  let [low, high] = [ONE, ONE];
  for (const step of way) {
    low = times(low, step.forward ? least(step.line) : inverse(most(step.line)));
    high = times(high, step.forward ? most(step.line) : inverse(least(step.line)));
  }
  return atMost(low, most(line)) && atMost(least(line), high);
}

function disagreement(way: readonly Step[]): string {
  const numbers = way.map(({ at }) => at + 1).sort((a, b) => a - b);
  const last = numbers.pop();
  const product = way.reduce((ratio, { line, forward }) => {
    const one = { above: line.factor, below: BILLION };
    return times(ratio, forward ? one : inverse(one));
  }, ONE);
  const factor = factorOf(product);
  return factor === null
    ? `Lines ${numbers.join(', ')} and ${last} say otherwise; correct one of these lines.`
    : `By lines ${numbers.join(', ')} and ${last} this is ${formatFixed(factor, FACTOR_PLACES)}; correct one of these lines.`;
}

const UNTIED = 'Say how this unit converts: add a conversion that leads to the base unit.';

/** Used units that are not connected to the base unit, and conversions that connect nothing to it. */
function gaps(used: UsedUnits, sound: readonly number[], add: Add): void {
  const { base, selling, others, conversions } = used;
  if (base === null) {
    if (selling !== null || others.length > 0 || conversions.length > 0) {
      add('baseUom', 'Choose the base unit; the other units are counted in it.');
    }
    return;
  }
  const units = new Units(
    base,
    conversions.filter((_, i) => sound.includes(i)),
  );
  for (const i of sound) {
    if (!units.knows(conversions[i]?.from ?? '')) {
      add(
        `conversions.${i}.fromUomId`,
        'Neither of these units leads to the base unit; add the conversion that does.',
      );
    }
  }
  const seen = new Set([base]);
  others.forEach((unit, i) => {
    const field = `otherUoms.${i}.uomId`;
    if (unit === base) add(field, 'This is the base unit already; leave it out here.');
    else if (seen.has(unit)) add(field, 'This unit is listed already; keep one line.');
    else if (!units.knows(unit)) add(field, UNTIED);
    seen.add(unit);
  });
  if (selling !== null && !units.knows(selling)) add('defaultSellingUom', UNTIED);
}
