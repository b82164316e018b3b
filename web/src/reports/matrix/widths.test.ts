import { describe, expect, it } from 'vitest';
import { fitted } from './widths';

describe('the columns of a matrix', () => {
  const columns = [{ width: 84 }, { width: 104, least: 84, grow: true }, { width: 104, least: 84 }];

  it('grow where they may', () => {
    expect(fitted(columns, 400, 10)).toEqual([84, 114, 104]);
  });

  it('get narrower if all of them then fit', () => {
    expect(fitted(columns, 270, 0)).toEqual([81, 94, 94]);
    expect(fitted(columns, 247, 0)).toEqual([79, 84, 84]);
    expect(fitted(columns, 246, 0)).toEqual([84, 104, 104]);
  });
});
