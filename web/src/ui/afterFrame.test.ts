import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { afterFrame } from './afterFrame';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.restoreAllMocks();
  vi.useRealTimers();
});

describe('work after the next frame', () => {
  it('runs after it, all together and in order', () => {
    const said: string[] = [];
    afterFrame(() => said.push('a'));
    requestAnimationFrame(() => said.push('frame'));
    afterFrame(() => said.push('b'));
    expect(said).toEqual([]);
    vi.advanceTimersToNextFrame();
    expect(said).toEqual(['frame']);
    vi.advanceTimersByTime(1);
    expect(said).toEqual(['frame', 'a', 'b']);
    vi.advanceTimersByTime(1_000);
    expect(said).toEqual(['frame', 'a', 'b']);
  });

  it('runs once, however often it is requested', () => {
    const work = vi.fn();
    for (let i = 0; i < 3; i += 1) afterFrame(work);
    vi.advanceTimersByTime(1_000);
    expect(work).toHaveBeenCalledOnce();
    afterFrame(work);
    vi.advanceTimersByTime(1_000);
    expect(work).toHaveBeenCalledTimes(2);
  });

  it('also runs on a page that is not, or no longer, rendered', () => {
    const said: string[] = [];
    vi.spyOn(globalThis, 'requestAnimationFrame').mockReturnValue(0);
    afterFrame(() => said.push('stopped'));
    vi.advanceTimersByTime(150);
    expect(said).toEqual(['stopped']);
    vi.spyOn(document, 'visibilityState', 'get').mockReturnValue('hidden');
    afterFrame(() => said.push('hidden'));
    vi.advanceTimersByTime(1);
    expect(said).toEqual(['stopped', 'hidden']);
  });

  it('is not lost if something before it fails', () => {
    const reported = vi.fn();
    vi.stubGlobal('reportError', reported);
    const said: string[] = [];
    afterFrame(() => {
      throw new Error('no');
    });
    afterFrame(() => said.push('b'));
    vi.advanceTimersByTime(200);
    expect(said).toEqual(['b']);
    expect(reported).toHaveBeenCalledOnce();
    vi.unstubAllGlobals();
  });
});
