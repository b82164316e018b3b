import { describe, expect, it } from 'vitest';
import { netOf, unvalued, valuesSaid } from './variance';

const none = { loss: null, gain: null, net: null };
const uncounted = { variance: null, varianceValue: null };
const unpriced = { variance: -2, varianceValue: null };

describe('the value of variances', () => {
  it('is said in pesos', () => {
    const rows = [{ variance: -4, varianceValue: -300 }, uncounted];
    expect(valuesSaid({ loss: -300, gain: 55, net: -245 }, rows)).toBe(
      '−₱300.00 missing · ₱55.00 more than expected · −₱245.00 net',
    );
  });

  it('is not zero where nothing could be counted', () => {
    expect(valuesSaid(none, [uncounted, uncounted])).toBe('nothing counted');
    expect(valuesSaid({}, [])).toBe('nothing counted');
  });

  it('is not zero where nothing counted has a price', () => {
    expect(unvalued(null, [uncounted, unpriced])).toBe('nothing that was counted has a price');
    expect(netOf([uncounted, unpriced])).toBeNull();
  });

  it('is zero where counts are as expected', () => {
    const rows = [uncounted, { variance: 0, varianceValue: 0 }];
    expect([netOf(rows), unvalued(netOf(rows), rows)]).toEqual([0, null]);
  });

  it('is not judged by the first rows alone', () => {
    expect(unvalued(-5, [uncounted])).toBeNull();
  });
});
