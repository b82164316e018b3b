import { describe, expect, it } from 'vitest';
import { againstPlan, yieldOf } from './columns';

describe("a batch's outcome", () => {
  it('is compared with its plan', () => {
    expect(againstPlan(52.5, 51)).toBe('+1.5');
    expect(againstPlan(0.3, 0.1 + 0.2)).toBe('–');
    expect(againstPlan(50, 51)).toBe('−1');
  });

  it('has a yield to a tenth of a percent, once the made quantity is known', () => {
    expect(yieldOf(1150, 1200)).toBe(95.8);
    expect(yieldOf(0, 1200)).toBe(0);
    expect(yieldOf(null, 1200)).toBeNull();
    expect(yieldOf(Number.NaN, 1200)).toBeNull();
    expect(yieldOf(5, 0)).toBeNull();
  });
});
