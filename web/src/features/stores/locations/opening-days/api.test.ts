import { describe, expect, it } from 'vitest';
import { weekdaysLabel } from './api';

describe('opening days', () => {
  it('are named by what is shorter', () => {
    expect(weekdaysLabel([1, 2, 3, 4, 5, 6, 7])).toBe('every day');
    expect(weekdaysLabel([1, 2, 3, 4, 5, 6])).toBe('every day but Sun');
    expect(weekdaysLabel([2, 3, 4, 5, 6])).toBe('every day but Mon and Sun');
    expect(weekdaysLabel([1, 3, 5])).toBe('Mon, Wed, Fri');
  });
});
