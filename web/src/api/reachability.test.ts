import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { requestAt } from './client';
import { reachability } from './reachability';

const answers = vi.fn<() => Promise<Response>>();

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal('fetch', answers);
});
afterEach(() => {
  reachability.markFound();
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

const nobody = () => Promise.reject(new TypeError('Failed to fetch'));
const answering = () => Promise.resolve(new Response('{}'));
const ask = () => requestAt('GET', '/api/x').catch(() => {});

describe('server reachability', () => {
  it('is judged by ordinary requests, then probed until the server answers', async () => {
    const found = vi.fn();
    const deaf = reachability.onBack(found);
    answers.mockImplementation(nobody);
    await ask();
    expect(reachability.isUnreachable()).toBe(true);
    await vi.advanceTimersByTimeAsync(2_000);
    expect(reachability.isUnreachable()).toBe(true);
    answers.mockImplementation(answering);
    await vi.advanceTimersByTimeAsync(2_000);
    expect([reachability.isUnreachable(), found.mock.calls.length]).toEqual([false, 1]);
    deaf();
  });

  it('is probed at once when the browser is online again', async () => {
    answers.mockImplementation(nobody);
    await ask();
    await vi.advanceTimersByTimeAsync(20_000);
    answers.mockImplementation(answering);
    window.dispatchEvent(new Event('online'));
    await vi.advanceTimersByTimeAsync(0);
    expect(reachability.isUnreachable()).toBe(false);
  });

  it("is not confirmed by a proxy's answer", async () => {
    answers.mockImplementation(() => Promise.resolve(new Response('', { status: 502 })));
    await ask();
    expect(reachability.isUnreachable()).toBe(true);
    // A 503 of the server itself: busy, but reachable.
    const headers = { 'content-type': 'application/problem+json' };
    answers.mockImplementation(() => Promise.resolve(new Response('{}', { status: 503, headers })));
    await ask();
    expect(reachability.isUnreachable()).toBe(false);
  });
});
