import { describe, expect, it } from 'vitest';
import { placeOf, stillThere } from './stillThere';

describe('what a place has of a lot', () => {
  it('is likely, within what is possible', () => {
    expect(stillThere({ qty: 12, atLeast: 0, atMost: 30 }, 'pc')).toBe(
      'probably 12 pc, 0 to 30 possible',
    );
    expect(stillThere({ qty: 0, atLeast: 0, atMost: 5 }, 'pc')).toBe(
      'probably none, 0 to 5 possible',
    );
  });

  it('is known where it keeps a balance, or has nothing left', () => {
    expect(stillThere({ qty: 40, atLeast: 40, atMost: 40 }, 'pc')).toBe('40 pc');
    expect(stillThere({ qty: 0, atLeast: 0, atMost: 0 })).toBe('probably none');
  });

  it('is at a place, or on its way to one', () => {
    expect(placeOf({ placeKind: 'store', placeName: 'Cubao' })).toBe('at Cubao');
    expect(placeOf({ placeKind: 'inTransit', placeName: 'On its way to Cubao' })).toBe(
      'on its way to Cubao',
    );
  });
});
