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

  it('checks the role by category, page and action', () => {
    expect(can(me(false), 'lists/allLists')).toBe(true);
    expect(can(me(false), 'lists/allLists', 'edit')).toBe(false);
    expect(can(me(false), 'stores/storeList')).toBe(false);
  });

  it('lets a super admin and a page without permission through', () => {
    expect(can(me(true), 'stores/storeList', 'delete')).toBe(true);
    expect(can(me(false), undefined)).toBe(true);
  });
});

describe('the session', () => {
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

  it('is fetched again after signing in, though it was just known to be empty', async () => {
    queries.setQueryData(['me'], null);
    const calls = answers(200);
    expect((await startSession()).user.name).toBe('Ana');
    expect(calls).toEqual(['/api/me']);
    expect(queries.getQueryData(['me'])).toEqual({ user: { name: 'Ana' } });
  });

  it('is fetched after signing in, though the clock was set back', async () => {
    queries.setQueryData(['me'], null, { updatedAt: Date.now() + 3_600_000 });
    answers(200);
    expect((await startSession()).user.name).toBe('Ana');
  });

  it('is fetched after signing in, though a request before is not answered', async () => {
    vi.stubGlobal('fetch', () => new Promise(() => {}));
    const before = queries.fetchQuery({ queryKey: ['me'], queryFn: fetchMe }).catch(() => {});
    answers(200);
    expect((await startSession()).user.name).toBe('Ana');
    await before;
  });

  it('is empty when the server does not know it', async () => {
    answers(401);
    expect(await fetchMe()).toBeNull();
  });

  it('is unknown while the server is away', async () => {
    answers();
    await expect(fetchMe()).rejects.toThrow('Network error.');
  });

  it('is empty after an offline sign-out, which is completed later', async () => {
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

  it('is empty after an offline sign-out on a full device', async () => {
    answers();
    queries.setQueryData(['me'], { user: { name: 'Ana' } });
    vi.spyOn(Storage.prototype, 'setItem').mockImplementation(() => {
      throw new DOMException('full', 'QuotaExceededError');
    });
    await signOut();
    expect(queries.getQueryData(['me'])).toBeNull();
  });
});

describe('the remembered user', () => {
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

  it.each([null, 502, 503, 504])('is used when the answer is %s', async (code) => {
    status(code);
    expect(await fetchMe()).toEqual({ ...ana, remembered: true });
  });

  it('is ignored when the server says that no one is signed in', async () => {
    status(401);
    expect(await fetchMe()).toBeNull();
  });

  it('is ignored after a sign-out', async () => {
    localStorage.setItem('larder:leaving', '1');
    status(null);
    expect(await fetchMe()).toBeNull();
  });

  it('is shown when the server does not answer, and replaced when it does', async () => {
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

  it('is forgotten when the session ends, and not restored by an older answer', async () => {
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
