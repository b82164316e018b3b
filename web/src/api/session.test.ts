import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { queries } from './queries';
import {
  can,
  clearSession,
  fetchMe,
  type Me,
  setUserMemory,
  signOut,
  startSession,
} from './session';

describe('can', () => {
  const me = (superAdmin: boolean) =>
    ({
      user: { superAdmin },
      permissions: { lists: { allLists: { view: true } } },
    }) as unknown as Me;

  it('asks the role by category, page and action', () => {
    expect(can(me(false), 'lists/allLists')).toBe(true);
    expect(can(me(false), 'lists/allLists', 'edit')).toBe(false);
    expect(can(me(false), 'stores/storeList')).toBe(false);
  });

  it('lets a super admin and a page without permission through', () => {
    expect(can(me(true), 'stores/storeList', 'delete')).toBe(true);
    expect(can(me(false), undefined)).toBe(true);
  });
});

describe('who is here', () => {
  afterEach(() => {
    vi.unstubAllGlobals();
    queries.clear();
    localStorage.clear();
  });

  const answers = (...statuses: (number | null)[]) => {
    const calls: string[] = [];
    vi.stubGlobal('fetch', async (path: string) => {
      calls.push(path);
      const status = statuses[calls.length - 1] ?? null;
      if (status === null) throw new TypeError('fetch failed');
      const body = status === 204 ? null : JSON.stringify({ user: { name: 'Ana' } });
      return new Response(body, { status });
    });
    return calls;
  };

  it('is asked again after signing in, though it was just known that nobody is', async () => {
    queries.setQueryData(['me'], null);
    const calls = answers(200);
    expect((await startSession()).user.name).toBe('Ana');
    expect(calls).toEqual(['/api/me']);
    expect(queries.getQueryData(['me'])).toEqual({ user: { name: 'Ana' } });
  });

  it('is nobody when the server does not know the session', async () => {
    answers(401);
    expect(await fetchMe()).toBeNull();
  });

  it('is not known while the server is away', async () => {
    answers();
    await expect(fetchMe()).rejects.toThrow('Network error.');
  });

  it('is nobody after a sign-out without a network, which is made good later', async () => {
    answers();
    await signOut();
    expect(queries.getQueryData(['me'])).toBeNull();
    answers();
    expect(await fetchMe()).toBeNull();
    const calls = answers(204, 401);
    expect(await fetchMe()).toBeNull();
    expect(calls).toEqual(['/api/session/sign-out', '/api/me']);
    expect(localStorage).toHaveLength(0);
  });
});

describe('who was here before', () => {
  const ana = { user: { name: 'Ana' } } as unknown as Me;
  const memory = { keep: vi.fn(), recall: vi.fn(async () => ana as Me | null), forget: vi.fn() };
  const status = (code: number | null) =>
    vi.stubGlobal('fetch', async () => {
      if (code === null) throw new TypeError('fetch failed');
      return new Response(JSON.stringify({ user: { name: 'Ben' } }), { status: code });
    });

  beforeAll(() => setUserMemory(memory));
  beforeEach(() => {
    memory.keep.mockClear();
    memory.forget.mockClear();
    memory.recall.mockResolvedValue(ana);
  });
  afterEach(() => {
    vi.unstubAllGlobals();
    vi.useRealTimers();
    queries.clear();
    localStorage.clear();
  });

  it.each([null, 502, 503, 504])('is remembered when the answer is %s', async (code) => {
    status(code);
    expect(await fetchMe()).toEqual({ ...ana, remembered: true });
  });

  it('counts for nothing when the server says that nobody is here', async () => {
    status(401);
    expect(await fetchMe()).toBeNull();
  });

  it('counts for nothing once they meant to leave', async () => {
    localStorage.setItem('larder:leaving', '1');
    status(null);
    expect(await fetchMe()).toBeNull();
  });

  it('is shown when a connection answers nothing, and corrected when it does', async () => {
    vi.useFakeTimers();
    let answer: (response: Response) => void = () => {};
    vi.stubGlobal('fetch', () => new Promise<Response>((done) => (answer = done)));
    const asked = fetchMe();
    await vi.advanceTimersByTimeAsync(5_000);
    expect(await asked).toMatchObject({ remembered: true });
    answer(new Response(JSON.stringify({ user: { name: 'Ben' } })));
    await vi.advanceTimersByTimeAsync(0);
    expect(queries.getQueryData(['me'])).toEqual({ user: { name: 'Ben' } });
    expect(memory.keep).toHaveBeenCalledOnce();
  });

  it('is forgotten when the session ends, and not remembered by an older answer', async () => {
    let answer: (response: Response) => void = () => {};
    vi.stubGlobal('fetch', () => new Promise<Response>((done) => (answer = done)));
    queries.setQueryData(['me'], ana);
    const asked = fetchMe();
    clearSession();
    expect(memory.forget).toHaveBeenCalledOnce();
    answer(new Response(JSON.stringify(ana)));
    await asked;
    expect(memory.keep).not.toHaveBeenCalled();
  });
});
