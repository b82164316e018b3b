import { describe, expect, it } from 'vitest';
import { overrideColumns, overrideText } from './overrides';

const overrides = [
  { lineId: 'a', check: 'notEnough' as const, reason: 'Counted 80' },
  { lineId: 'a', check: 'expired' as const, reason: 'Frozen since' },
  { lineId: 'b', check: 'expired' as const, reason: 'For the animals' },
];

describe('what was overridden', () => {
  it('is said at the line it concerns, with its reason', () => {
    expect(overrideText(overrides, 'a')).toBe('Over stock: Counted 80. Expired: Frozen since');
    expect(overrideText(overrides, 'b')).toBe('Expired: For the animals');
    expect(overrideText(overrides, 'c')).toBe('');
  });

  it('has a column only where something was', () => {
    expect(overrideColumns([])).toEqual([]);
    const [column] = overrideColumns<{ id: string }>(overrides);
    expect(column?.cell?.({ id: 'b' })).toMatchObject({
      props: { title: 'Expired: For the animals' },
    });
    expect(column?.cell?.({ id: 'c' })).toBe('');
  });
});
