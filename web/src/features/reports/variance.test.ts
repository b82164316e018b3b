import { describe, expect, it } from 'vitest';
import { unvalued, valuesSaid } from './variance';

const none = { loss: 0, gain: 0, net: 0 };
const uncounted = { variance: null, varianceValue: null };
const unpriced = { variance: -2, varianceValue: null };

describe('the value of variances', () => {
  it('is said in pesos', () => {
    const rows = [{ variance: -4, varianceValue: -300 }, uncounted];
    expect(valuesSaid({ loss: -300, gain: 55, net: -245 }, rows, 2)).toBe(
      '−₱300.00 missing · ₱55.00 more than expected · −₱245.00 net',
    );
  });

  it('is not zero where nothing could be counted', () => {
    expect(valuesSaid(none, [uncounted, uncounted], 2)).toBe('nothing counted');
    expect(valuesSaid(none, [], 0)).toBe('nothing counted');
  });

  it('is not zero where nothing counted has a price', () => {
    expect(unvalued([uncounted, unpriced], 2)).toBe('nothing that was counted has a price');
  });

  it('is zero where counts are as expected', () => {
    expect(unvalued([uncounted, { variance: 0, varianceValue: 0 }], 2)).toBeNull();
  });

  it('is not judged by the first rows alone', () => {
    expect(unvalued([uncounted], 2)).toBeNull();
  });
});
