import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { theme, variables } from '#/app/theme';
import { heatLevel, heatSteps } from './heat';
import { slantedLines, tickLines, twoLines } from './labels';
import { dashOf, MARKS, REST } from './marks';
import { sparkPath } from './Spark';
import { spreadOf } from './Spread';

const css = readFileSync('src/charts/charts.module.css', 'utf8');

type Scheme = 'light' | 'dark';

/** The resolved value of a mark's CSS variable. */
function colour(name: string, scheme: Scheme): string {
  const found = new RegExp(`${name}: light-dark\\((.+), (.+)\\);`).exec(css);
  const text = found?.[scheme === 'light' ? 1 : 2] ?? '';
  const token = /^var\((.+)\)$/.exec(text)?.[1];
  if (!token) return text;
  const shade = /^--mantine-color-(\w+)-(\d)$/.exec(token);
  if (shade) return theme.colors?.[shade[1] ?? '']?.[Number(shade[2])] ?? '';
  return (
    (variables as unknown as () => Record<Scheme, Record<string, string>>)()[scheme][token] ?? ''
  );
}

function luminance(hex: string): number {
  const part = (at: number) => {
    const value = Number.parseInt(hex.slice(at, at + 2), 16) / 255;
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  };
  return 0.2126 * part(1) + 0.7152 * part(3) + 0.0722 * part(5);
}

function contrast(a: string, b: string): number {
  const [x = 0, y = 0] = [luminance(a), luminance(b)].sort((p, q) => q - p);
  return (x + 0.05) / (y + 0.05);
}

const names = [...Array.from({ length: MARKS }, (_, i) => `--series-${i}`), '--series-rest'];

describe('the marks', () => {
  it.each(names.flatMap((name) => [[name, 'light'] as const, [name, 'dark'] as const]))(
    '%s is seen on the surface in %s',
    (name, scheme) => {
      const surface = scheme === 'light' ? '#ffffff' : '#1b2221';
      const hex = colour(name, scheme);
      expect(hex).toMatch(/^#[0-9a-f]{6}$/);
      expect(contrast(hex, surface)).toBeGreaterThanOrEqual(3);
    },
  );

  it('differ in their dashes too', () => {
    const dashes = Array.from({ length: MARKS }, (_, mark) => dashOf(mark));
    expect(new Set(dashes).size).toBe(MARKS);
    expect(dashes).not.toContain(dashOf(REST));
  });
});

describe('the heat map', () => {
  it('shades by rank, so that one huge cell does not hide the rest', () => {
    const steps = heatSteps([
      [0, 1, 2, 3],
      [4, 5, 6, 1_000_000],
    ]);
    expect(heatLevel(0, steps)).toBe(0);
    expect(heatLevel(-3, steps)).toBe(0);
    expect(heatLevel(1, steps)).toBe(1);
    expect(heatLevel(1_000_000, steps)).toBe(5);
    expect(heatLevel(5, steps)).toBeGreaterThan(heatLevel(2, steps));
  });

  it('is blank for empty cells', () => {
    expect(heatLevel(0, heatSteps([[0, 0]]))).toBe(0);
    expect(heatSteps([])).toHaveLength(5);
  });
});

describe('sparklines', () => {
  it('thins long series to the width', () => {
    const long = Array.from({ length: 500 }, (_, i) => i);
    expect(sparkPath(long, 84, 22).match(/[ML]/g)?.length).toBeLessThanOrEqual(43);
    expect(sparkPath(long, 84, 22)).not.toContain('NaN');
  });

  it('is flat for constant values', () => {
    expect(sparkPath([5, 5, 5], 84, 22)).toBe('M0 11L42 11L84 11');
    expect(sparkPath([5], 84, 22)).toBe('M0 11H84');
    expect(sparkPath([], 84, 22)).toBe('M0 11H84');
  });

  it('are of days or weeks, never of sorted values', () => {
    const drawn = readdirSync('src', { recursive: true })
      .map(String)
      .filter((file) => file.endsWith('.tsx'))
      .map((file) => ({ file, text: readFileSync(`src/${file}`, 'utf8') }))
      .filter(({ text }) => text.includes('<Spark '));
    expect(drawn.length).toBeGreaterThan(0);
    expect(drawn.flatMap(({ file, text }) => (/[sS]ort(ed)?\(/.test(text) ? file : []))).toEqual(
      [],
    );
  });
});

describe('the spread of stores', () => {
  it('places each between the lowest and the highest, whatever the order', () => {
    expect(spreadOf([30, 10, 20], 15, 85)).toEqual({ dots: [82.5, 2.5, 42.5], tick: 22.5 });
  });

  it('has equal values in the middle, and no tick without a figure', () => {
    expect(spreadOf([4, 4], null, 85)).toEqual({ dots: [42.5, 42.5], tick: null });
    expect(spreadOf([], 4, 85)).toEqual({ dots: [], tick: null });
  });

  it('keeps a tick beyond the stores on the axis', () => {
    expect(spreadOf([10, 20], 99, 85).tick).toBe(82.5);
  });
});

describe('names on two lines', () => {
  it('break between words', () => {
    expect(twoLines('Makati', 10)).toEqual(['Makati']);
    expect(twoLines('Makati – Legazpi', 10)).toEqual(['Makati', 'Legazpi']);
    expect(twoLines('Quezon City Station', 11)).toEqual(['Quezon City', 'Station']);
    expect(twoLines('Muntinlupa', 6)).toEqual(['Munti…']);
  });

  it('leave the second line to the store', () => {
    const point = { label: 'Chicken thigh', sub: 'Quezon City Station' };
    expect(tickLines(point, 10)).toEqual(['Chicken t…', 'Quezon Ci…']);
    expect(slantedLines(point)).toEqual(['Chicken thigh', 'Quezon City …']);
    expect(tickLines({ label: 'Chicken thigh' }, 10)).toEqual(['Chicken', 'thigh']);
    expect(slantedLines({ label: 'Rice' })).toEqual(['Rice']);
  });
});
