import { renderHook } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { useBaseRecord } from './useBaseRecord';

interface Row {
  id?: string;
  revision: number;
}

const start = (first: Row | undefined) =>
  renderHook(({ latest }: { latest: Row | undefined }) => useBaseRecord(latest), {
    initialProps: { latest: first },
  });

describe('the version a form starts from', () => {
  it('follows the latest until something is typed', () => {
    for (const id of [undefined, 'a']) {
      const { result, rerender } = start({ ...(id && { id }), revision: 1 });
      rerender({ latest: { ...(id && { id }), revision: 2 } });
      expect(result.current.base?.revision).toBe(2);
      result.current.onDirty(true);
      rerender({ latest: { ...(id && { id }), revision: 3 } });
      expect(result.current.base?.revision).toBe(2);
      result.current.onDirty(false);
      rerender({ latest: { ...(id && { id }), revision: 3 } });
      expect(result.current.base?.revision).toBe(3);
    }
  });

  it('takes the first version that arrives, and another record', () => {
    const { result, rerender } = start(undefined);
    result.current.onDirty(true);
    rerender({ latest: { id: 'a', revision: 1 } });
    expect(result.current.base?.id).toBe('a');
    rerender({ latest: { id: 'b', revision: 1 } });
    expect(result.current.base?.id).toBe('b');
  });
});
