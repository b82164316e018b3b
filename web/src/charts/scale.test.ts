import { describe, expect, it } from 'vitest';
import { boxesOf, placeNames, scaleOf, signedScale } from './scale';

describe('an axis', () => {
  it('has round steps around its values', () => {
    expect(scaleOf([454_000, 505_000], 5)).toEqual({
      from: 440_000,
      to: 520_000,
      ticks: [440_000, 460_000, 480_000, 500_000, 520_000],
    });
  });

  it('uses whole steps and stays within its limits', () => {
    expect(scaleOf([0, 2], 6, { least: 0, whole: true }).ticks).toEqual([0, 1, 2, 3]);
    const share = scaleOf([0.985, 0.999], 4, { least: 0, most: 1 });
    expect(share.to).toBe(1);
    expect(share.from).toBeGreaterThan(0.97);
  });

  it('has zero where values are below it', () => {
    expect(signedScale([-5_400, null, 3_100])?.ticks).toContain(0);
    const below = signedScale([-5_400, -120]);
    expect(below?.to).toBe(0);
    expect(below?.from).toBeLessThan(-5_400);
    expect(signedScale([0, 12, null])).toBeNull();
  });

  it('has room even if all values are equal', () => {
    for (const values of [[0], [5, 5], [1]]) {
      const { from, to, ticks } = scaleOf(values, 5, { least: 0 });
      expect(from).toBeLessThan(to);
      expect(ticks.length).toBeGreaterThan(1);
      expect(ticks.length).toBeLessThan(12);
    }
  });
});

describe('labels beside points', () => {
  const within = { x: 0, y: 0, width: 400, height: 200 };

  it('do not overlap', () => {
    const points = [0, 1, 2, 3, 4].map((n) => ({ x: 200 + n * 3, y: 100 + n * 2, width: 70 }));
    const boxes = placeNames(points, within);
    for (const [i, a] of boxes.entries()) {
      for (const b of boxes.slice(i + 1)) {
        const apart =
          a.x + a.width <= b.x ||
          b.x + b.width <= a.x ||
          a.y + a.height <= b.y ||
          b.y + b.height <= a.y;
        expect(apart).toBe(true);
      }
    }
  });

  it('avoid lines where possible', () => {
    const line = boxesOf(200, 100, 400, 100);
    const [box] = placeNames([{ x: 200, y: 100, width: 80 }], within, line);
    const on = (box?.y ?? 0) < 102 && (box?.y ?? 0) + 16 > 98 && (box?.x ?? 0) + 80 > 200;
    expect(on).toBe(false);
  });

  it('stay inside the chart', () => {
    const [box] = placeNames([{ x: 395, y: 5, width: 80 }], within);
    expect((box?.x ?? 0) + 80).toBeLessThanOrEqual(400);
    expect(box?.y).toBeGreaterThanOrEqual(0);
  });
});
