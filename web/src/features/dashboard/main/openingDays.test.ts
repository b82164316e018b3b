import { describe, expect, it } from 'vitest';
import { unsold } from './openingDays';

describe('weekdays without sales', () => {
  const weekdays = [1, 2, 3, 4, 5, 6, 7];
  it('are named', () => {
    expect(unsold({ weekdays, proposed: [1, 2, 3, 4, 5, 6] })).toBe('Sun');
    expect(unsold({ weekdays, proposed: [1, 2, 3, 4, 5] })).toBe('Sat and Sun');
    expect(unsold({ weekdays, proposed: [1, 2, 3] })).toBe('Thu, Fri, Sat and Sun');
  });

  it('leave out those on which the store is closed anyway', () => {
    expect(unsold({ weekdays: [1, 2, 3, 4, 5, 6], proposed: [1, 2, 3, 4, 5] })).toBe('Sat');
  });
});
