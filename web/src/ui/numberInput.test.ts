import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  faultOf,
  isCalculation,
  isMeasure,
  kindOfUnit,
  type NumberKind,
  numberOf,
  readTyped,
  showNumber,
  shownTyped,
} from './numberInput';

const KINDS: readonly NumberKind[] = ['money', 'price', 'whole', 'divisible', 'factor', 'percent'];

describe('all kinds of number', () => {
  it.each([
    ['12', 12],
    [' 12 ', 12],
    ['0.500', 0.5],
    ['1.250', 1.25],
    ['.5', 0.5],
    [',5', 0.5],
    ['5.', 5],
    ['0,500', 0.5],
    ['1,5', 1.5],
    ['1,25', 1.25],
    ['1234,567', 1234.567],
    ['1,2345', 1.2345],
    ['1,234.50', 1234.5],
    ['1.234,50', 1234.5],
    ['1,234,567', 1234567],
    ['1.234.567', 1234567],
    ['1.234.567,89', 1234567.89],
    ['1,234,567.89', 1234567.89],
    ['1 234,5', 1234.5],
    ['1 234,567', 1234.567],
    ['1 234', 1234],
    ['1\u00a0234\u202f567.5', 1234567.5],
    ['₱ 27.27', 27.27],
    ['₱1,234.50', 1234.5],
    ['１２３．５', 123.5],
    ['１，２３４．５', 1234.5],
    ['−3', -3],
    ['-3', -3],
    ['+3', 3],
    ['3-', -3],
    ['1,234.50-', -1234.5],
    ['(3)', -3],
    ['(₱1,234.50)', -1234.5],
    ['0', 0],
    ['-0', 0],
    ['000', 0],
    ['007', 7],
    ['12*3', 36],
    ['2*3+1', 7],
    ['2 × 3 + 1', 7],
    ['10 ÷ 4', 2.5],
    ['10÷-4', -2.5],
    ['(2+3)*4', 20],
    ['3--5', 8],
    ['=7', 7],
    ['.5x2', 1],
    ['0.1+0.2', 0.3],
    ['1,234.50+1', 1235.5],
    ['0,500*2', 1],
  ])('%j is %j', (text, value) => {
    for (const as of KINDS) expect([as, readTyped(text, as)]).toEqual([as, { value }]);
  });

  it.each([
    '',
    ' ',
    'abc',
    '12 pcs',
    '1.2.3',
    '1e5',
    '1+',
    '*2',
    '(1',
    '1)',
    '1/0',
    '1..2',
    '12 6',
    '12 60',
    '1,23,456.00',
    '1234,567.89',
    '0,500,000',
    '1.234,567,8',
    '1,250 500',
    '1 234.567,8',
    'NaN',
    'Infinity',
    '-',
    '.',
    '1,,2',
    '1,234,',
    '1,234.567,8',
    '1’234',
    '١٢',
    '₱50₱60',
    '₱50 ₱600',
    '1\t234',
    '1234567890.12345678',
    '9'.repeat(201),
  ])('%j is no number', (text) => {
    for (const as of KINDS) expect([as, readTyped(text, as)]).toEqual([as, { invalid: true }]);
  });
});

describe('one comma before three digits', () => {
  it.each<[string, number, number]>([
    ['1,250', 1250, 1.25],
    ['100,000', 100000, 100],
    ['60,000', 60000, 60],
    ['-1,250', -1250, -1.25],
    ['1,250-', -1250, -1.25],
    ['(1,250)', -1250, -1.25],
    ['₱1,250', 1250, 1.25],
    ['１，２５０', 1250, 1.25],
    ['1,250*2', 2500, 2.5],
    ['2*1,250+1', 2501, 3.5],
  ])(
    'groups money and whole units, marks decimals of factors, and is asked for in %j',
    (text, thousands, decimal) => {
      for (const as of ['money', 'whole'] as const) {
        expect(readTyped(text, as)).toEqual({ value: thousands });
      }
      for (const as of ['factor', 'price', 'percent'] as const) {
        expect(readTyped(text, as)).toEqual({ value: decimal });
      }
      expect(readTyped(text, 'divisible')).toEqual({
        ambiguous: true,
        choices: [thousands, decimal],
      });
      expect(numberOf(text, 'divisible')).toBeNull();
    },
  );

  it('is not asked about if both readings are equal', () => {
    expect(readTyped('1,250*0', 'divisible')).toEqual({ value: 0 });
  });

  it('asks with the unit', () => {
    expect(faultOf('1,250', 'divisible', 'kg')).toBe('1,250 kg or 1.25 kg?');
    expect(faultOf('1,250', 'whole', 'pc')).toBeNull();
    expect(faultOf('a lot', 'money')).toBe('Enter a number.');
  });
});

describe('calculations', () => {
  it("are rounded to the kind's decimals", () => {
    expect(numberOf('100/3', 'money')).toBe(33.33);
    expect(numberOf('2/3', 'divisible')).toBe(0.666667);
    expect(numberOf('1/3', 'factor')).toBe(0.333333333);
    expect(numberOf('12%', 'percent')).toBe(12);
  });

  it('are told from plain numbers', () => {
    expect(['12*6', '2+3', '-2', '12', '(5)', '5-', '1,250', 'a+b'].map(isCalculation)).toEqual([
      true,
      true,
      false,
      false,
      false,
      false,
      false,
      true,
    ]);
  });
});

describe('a field after leaving it', () => {
  it.each<[NumberKind, string, string]>([
    ['money', '100,000', '100,000.00'],
    ['money', '100000', '100,000.00'],
    ['money', '12*3', '36.00'],
    ['money', '12.345', '12.345'],
    ['money', '(5)', '-5.00'],
    ['price', '1,250', '1.25'],
    ['price', '1250', '1,250.00'],
    ['whole', '1250', '1,250'],
    ['whole', '2*3+1', '7'],
    ['divisible', '1250', '1,250.0'],
    ['divisible', '1250.5', '1,250.5'],
    ['divisible', '0.500', '0.5'],
    ['divisible', '1,250', '1,250'],
    ['factor', '1,250', '1.25'],
    ['factor', '1000', '1000'],
    ['factor', '0.000000001', '0.000000001'],
    ['percent', '12,5%', '12.5'],
    ['whole', 'a few', 'a few'],
    ['money', '', ''],
  ])('%s: %j as %j', (as, text, shown) => {
    expect(shownTyped(text, as)).toBe(shown);
    expect(shownTyped(shown, as)).toBe(shown);
  });

  it('shows nothing for an invalid number', () => {
    expect(
      [null, undefined, Number.NaN, Number.POSITIVE_INFINITY].map((value) =>
        showNumber(value, 'money'),
      ),
    ).toEqual(['', '', '', '']);
  });
});

describe('units', () => {
  it('come whole unless they are measured', () => {
    expect(['pc', 'tub', 'Bottle', 'tray', 'pack'].map((unit) => kindOfUnit(unit))).toEqual(
      Array(5).fill('whole'),
    );
    expect(
      ['kg', 'KG', 'g', 'L', 'mL', 'Litre', 'gal', ''].map((unit) => kindOfUnit(unit)),
    ).toEqual(Array(8).fill('divisible'));
  });

  it("follow the server's setting, if there is one", () => {
    expect(kindOfUnit('kg', true)).toBe('whole');
    expect(kindOfUnit('tub', false)).toBe('divisible');
    expect(kindOfUnit('', true)).toBe('whole');
    expect(['tub', 'kg'].map((unit) => kindOfUnit(unit, null))).toEqual(['whole', 'divisible']);
  });

  it('are recognised by the same words as on the server', () => {
    const server = readFileSync(
      join(import.meta.dirname, '../../../crates/domain/src/units/whole.rs'),
      'utf8',
    );
    const list = /const MEASURES: &\[&str\] = &\[(.*?)\];/s.exec(server)?.[1] ?? '';
    const words = [...list.matchAll(/"([^"]+)"/g)].map(([, word]) => word ?? '');
    expect(words).toContain('fl oz');
    expect(words.filter((word) => !isMeasure(word))).toEqual([]);
    expect(['tub', 'btl', 'tray', 'pc', 'cs'].filter(isMeasure)).toEqual([]);
  });
});

/** A small seeded generator (mulberry32), so that a failure can be reproduced. */
function random(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}

describe('numbers in every spelling', () => {
  const seed = crypto.getRandomValues(new Uint32Array(1))[0] ?? 1;
  const next = random(seed);
  const pick = <T>(of: readonly T[]): T => of[Math.floor(next() * of.length)] as T;
  const wide = (text: string) =>
    text.replace(/[\d.,]/g, (char) => String.fromCharCode(char.charCodeAt(0) + 0xfee0));

  function spelling(): { text: string; whole: string; decimals: string } {
    const whole = String(Math.floor(next() * 10 ** Math.floor(1 + next() * 8)));
    const decimals = Array.from({ length: Math.floor(next() * 5) }, () =>
      Math.floor(next() * 10),
    ).join('');
    const [group, mark] = pick([
      ['', '.'],
      ['', ','],
      [',', '.'],
      ['.', ','],
      [' ', '.'],
      ['\u00a0', ','],
      ['\u202f', '.'],
    ] as const);
    const threes = whole.replace(/\B(?=(\d{3})+$)/g, group);
    return {
      text: decimals ? `${threes}${mark}${decimals}` : threes,
      whole,
      decimals,
    };
  }

  it(`are the same number when typed, shown and parsed again (seed ${seed})`, () => {
    const signs: readonly [(text: string) => string, number][] = [
      [(text) => text, 1],
      [(text) => `₱ ${text}`, 1],
      [(text) => `-${text}`, -1],
      [(text) => `−${text}`, -1],
      [(text) => `${text}-`, -1],
      [(text) => `(${text})`, -1],
      [(text) => ` ${wide(text)} `, 1],
    ];
    const counts = { read: 0, asked: 0 };
    const wrong: unknown[] = [];
    for (let n = 0; n < 20_000; n += 1) {
      const { text, whole, decimals } = spelling();
      const [write, sign] = pick(signs);
      const as = pick(KINDS);
      const exact = Number(`${whole}.${decimals || '0'}`) * sign || 0;
      const typed = write(text);
      const reading = readTyped(typed, as);
      const shown = shownTyped(typed, as);
      // The only ambiguous spellings: one mark with three digits after it.
      const single = /^[1-9]\d{0,2}[.,]\d{3}$/.test(text);
      const comma = single && text.includes(',');
      if (comma && as === 'divisible') {
        counts.asked += 1;
        const offered = 'ambiguous' in reading && reading.choices.includes(exact);
        if (!offered || shown !== typed) wrong.push([typed, as, reading, shown]);
        continue;
      }
      counts.read += 1;
      const groups = comma && (as === 'money' || as === 'whole');
      const meant = single ? Number(text.replace(/[.,]/, groups ? '' : '.')) * sign : exact;
      const again = numberOf(shown, as);
      const same = 'value' in reading && reading.value === meant && again === meant;
      if (!same || shownTyped(shown, as) !== shown) wrong.push([typed, as, reading, shown, again]);
    }
    expect(wrong).toEqual([]);
    expect(counts.read).toBeGreaterThan(10_000);
    expect(counts.asked).toBeGreaterThan(20);
  });
});
