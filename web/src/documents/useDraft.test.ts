import { describe, expect, it } from 'vitest';
import { unsent } from './useDraft';

describe('what was typed into a head', () => {
  it('stays where it was typed after the head was sent', () => {
    const sent: Record<string, string> = { made: '40', lot: 'R-1' };
    expect(unsent({ made: '42', lot: 'R-1', notes: 'late' }, sent)).toEqual({
      made: '42',
      notes: 'late',
    });
    expect(unsent({}, sent)).toEqual({});
  });
});
