import { describe, expect, it } from 'vitest';
import { chosenUnit, footLabel, unitsOf } from './units';

const rows = [{ unit: 'pc' }, { unit: 'kg' }, { unit: 'kg' }, { unit: null }];

describe('units of a report', () => {
  it('are grouped, the most used first', () => {
    expect(unitsOf(rows)).toEqual([
      { unit: 'kg', items: 2 },
      { unit: null, items: 1 },
      { unit: 'pc', items: 1 },
    ]);
  });

  it('are summed one at a time, and the footer names the unit', () => {
    const groups = unitsOf(rows);
    expect(chosenUnit(groups, '')?.unit).toBe('kg');
    expect(chosenUnit(groups, 'pc')?.unit).toBe('pc');
    expect(footLabel(groups, chosenUnit(groups, 'pc'), 4, false)).toBe('Total of 1 in pc');
    expect(footLabel(groups, chosenUnit(groups, '?'), 4, false)).toBe('1 item without a unit');
    expect(footLabel(unitsOf([{ unit: 'kg' }]), { unit: 'kg', items: 1 }, 1, true)).toBe(
      'Total of 1 shown',
    );
  });
});
