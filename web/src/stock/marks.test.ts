import { describe, expect, it } from 'vitest';
import { type Mark, markText } from './marks';

const mark: Mark = {
  documentKind: 'transfer',
  documentNo: 'TR-2026-000012',
  markedAt: '2026-11-24T06:10:00Z',
  asked: [{ qty: 5, unit: 'pack' }],
  expected: 1.5,
  unit: 'kg',
};

describe('a mark for counting', () => {
  it.each<[Partial<Mark>, string]>([
    [{}, '5 pack sent while 1.5 kg expected, 24 Nov 14:10 (TR-2026-000012)'],
    [
      { documentKind: 'waste', documentNo: 'WR-1' },
      '5 pack thrown away while 1.5 kg expected, 24 Nov 14:10 (WR-1)',
    ],
    [
      { documentKind: 'supplierReturn', documentNo: null, expected: 0 },
      '5 pack sent back while 0 kg expected, 24 Nov 14:10',
    ],
    [
      { asked: [5, 2.5, 1].map((qty, i) => ({ qty, unit: ['pack', 'kg', 'box'][i] ?? '' })) },
      '5 pack, 2.5 kg and 1 box sent while 1.5 kg expected, 24 Nov 14:10 (TR-2026-000012)',
    ],
    // Counts are blind.
    [
      { expected: null, unit: null },
      '5 pack sent, more than expected, 24 Nov 14:10 (TR-2026-000012)',
    ],
    // An old mark, or one that a device kept from before.
    [
      { asked: null, documentKind: null },
      'TR-2026-000012 took more than the 1.5 kg expected, 24 Nov 14:10',
    ],
    [{ asked: undefined, expected: null, markedAt: '' }, 'TR-2026-000012 took more than expected'],
  ])('of %j', (change, words) => {
    expect(markText({ ...mark, ...change })).toBe(`Count this: ${words}`);
  });

  it('is nothing for an item that is not marked', () => {
    expect(markText(undefined)).toBe('');
  });
});
