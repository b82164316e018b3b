import { afterEach, describe, expect, it, vi } from 'vitest';
import { paced } from './paced';

describe('a paced request', () => {
  afterEach(() => vi.useRealTimers());

  it('is sent at once, then once however often it is wanted', async () => {
    vi.useFakeTimers();
    let asked = 0;
    const ask = paced(async () => ++asked, 1000);
    await expect(ask()).resolves.toBe(1);
    const both = Promise.all([ask(), ask()]);
    expect(asked).toBe(1);
    await vi.advanceTimersByTimeAsync(1000);
    await expect(both).resolves.toEqual([2, 2]);
  });

  it('is sent again after a failure', async () => {
    let asked = 0;
    const ask = paced(async () => {
      asked += 1;
      if (asked === 1) throw new Error('no');
      return asked;
    }, 0);
    await expect(ask()).rejects.toThrow('no');
    await expect(ask()).resolves.toBe(2);
  });
});
