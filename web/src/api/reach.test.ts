import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { request } from './client';
import { reach } from './reach';

const answers = vi.fn<() => Promise<Response>>();

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal('fetch', answers);
});
afterEach(() => {
  reach.found();
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

const nobody = () => Promise.reject(new TypeError('Failed to fetch'));
const somebody = () => Promise.resolve(new Response('{}'));
const ask = () => request('GET', '/api/x').catch(() => {});

describe('whether the server can be reached', () => {
  it('is told by what is asked anyway, and looked for until it is', async () => {
    const found = vi.fn();
    const deaf = reach.onFound(found);
    answers.mockImplementation(nobody);
    await ask();
    expect(reach.isAway()).toBe(true);
    await vi.advanceTimersByTimeAsync(2_000);
    expect(reach.isAway()).toBe(true);
    answers.mockImplementation(somebody);
    await vi.advanceTimersByTimeAsync(2_000);
    expect([reach.isAway(), found.mock.calls.length]).toEqual([false, 1]);
    deaf();
  });

  it('is known at once when the browser hears of its network again', async () => {
    answers.mockImplementation(nobody);
    await ask();
    await vi.advanceTimersByTimeAsync(20_000);
    answers.mockImplementation(somebody);
    window.dispatchEvent(new Event('online'));
    await vi.advanceTimersByTimeAsync(0);
    expect(reach.isAway()).toBe(false);
  });

  it('is not asked of a proxy that stands before it', async () => {
    answers.mockImplementation(() => Promise.resolve(new Response('', { status: 502 })));
    await ask();
    expect(reach.isAway()).toBe(true);
    // The server itself is only busy.
    const headers = { 'content-type': 'application/problem+json' };
    answers.mockImplementation(() => Promise.resolve(new Response('{}', { status: 503, headers })));
    await ask();
    expect(reach.isAway()).toBe(false);
  });
});
