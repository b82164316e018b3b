import { renderHook } from '@testing-library/react';
import { expect, it, vi } from 'vitest';
import * as live from '#/api/live';
import { useScrollAnchor } from './useScrollAnchor';

const rowsOf = (keys: string) =>
  [...keys].map((key) => ({ key, row: key, branch: undefined }) as never);

it('keeps the first visible card in place, however high those above it are', () => {
  vi.spyOn(live, 'recentChanges').mockReturnValue(new Set(['n']) as never);
  const place = { scrollTop: 100, clientHeight: 300 } as HTMLDivElement;
  const heights: Record<string, number> = { a: 62, n: 98 };
  const heightOf = (key: string) => heights[key] ?? 80;
  const { rerender } = renderHook(
    ({ rows }) => useScrollAnchor({ current: place }, rows, heightOf, null),
    { initialProps: { rows: rowsOf('abcdefg') } },
  );
  // «c» is the first one that is wholly in sight: a new card above it moves everything by its own height.
  rerender({ rows: rowsOf('anbcdefg') });
  expect(place.scrollTop).toBe(198);
  rerender({ rows: rowsOf('bcdefg') });
  expect(place.scrollTop).toBe(198 - 62 - 98);
});
