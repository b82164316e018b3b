import { afterEach, describe, expect, it, vi } from 'vitest';
import { filled, request, requestAt, setHandlers } from './client';

const problem = (status: number, code: string) =>
  new Response(JSON.stringify({ status, code, detail: 'no' }), { status });

function answers(...given: Response[]) {
  const bodies: string[] = [];
  vi.stubGlobal('fetch', async (to: string | Request, init?: RequestInit) => {
    bodies.push(to instanceof Request ? await to.text() : String(init?.body ?? ''));
    return given[bodies.length - 1] ?? new Response('{"ok":true}');
  });
  return bodies;
}

describe('a request', () => {
  afterEach(() => {
    vi.unstubAllGlobals();
    setHandlers({
      signedOut() {},
      stepRequired() {},
      reauthenticate: () => Promise.resolve(false),
    });
  });

  it('waits until the session is known', async () => {
    const reauthenticate = vi.fn(() => Promise.resolve(true));
    setHandlers({ reauthenticate });
    const bodies = answers(problem(403, 'reauthenticate'));
    expect(await requestAt('POST', '/api/x', { json: { a: 1 } })).toEqual({ ok: true });
    expect(reauthenticate).toHaveBeenCalledOnce();
    expect(bodies).toEqual(['{"a":1}', '{"a":1}']);
  });

  it('also waits with a request of the contract, and keeps its body', async () => {
    setHandlers({ reauthenticate: () => Promise.resolve(true) });
    const bodies = answers(problem(403, 'reauthenticate'));
    await request('POST', '/v1/accounts:signInWithPassword', { json: { email: 'a' } as never });
    expect(bodies).toEqual(['{"email":"a"}', '{"email":"a"}']);
  });

  it('stays refused if the session check got no answer', async () => {
    const bodies = answers(problem(403, 'reauthenticate'));
    await expect(requestAt('POST', '/api/x')).rejects.toMatchObject({ code: 'reauthenticate' });
    expect(bodies).toHaveLength(1);
  });

  it('is refused for good when a right is missing', async () => {
    const reauthenticate = vi.fn(() => Promise.resolve(true));
    setHandlers({ reauthenticate });
    answers(problem(403, 'forbidden'));
    await expect(requestAt('GET', '/api/x')).rejects.toMatchObject({ code: 'forbidden' });
    expect(reauthenticate).not.toHaveBeenCalled();
  });

  it('does not show technical messages', async () => {
    answers(new Response('<html>', { status: 200 }));
    await expect(requestAt('GET', '/api/x')).rejects.toThrow(
      'Something went wrong. Please try again.',
    );
  });

  it.each([
    [401, 'unauthenticated', 1, 0],
    [401, 'wrongPassword', 0, 0],
    [403, 'mustChangePassword', 0, 1],
    [403, 'totpRequired', 0, 1],
    [404, 'notFound', 0, 0],
  ])('tells the screens of %i %s', async (status, code, out, steps) => {
    const told = { signedOut: vi.fn(), stepRequired: vi.fn() };
    setHandlers(told);
    answers(problem(status, code));
    await expect(requestAt('GET', '/api/x')).rejects.toMatchObject({ code });
    expect(told.signedOut).toHaveBeenCalledTimes(out);
    expect(told.stepRequired).toHaveBeenCalledTimes(steps);
  });
});

describe('a request from the contract', () => {
  afterEach(() => vi.unstubAllGlobals());

  it('fills the parameters of its path, escaped', () => {
    expect(filled('/api/users/{id}/sessions/{sessionId}', { id: 'a/b', sessionId: 7 })).toBe(
      '/api/users/a%2Fb/sessions/7',
    );
  });

  it('uses that path and its query, and returns the response body', async () => {
    const asked: string[] = [];
    vi.stubGlobal('fetch', async (to: string, init: RequestInit) => {
      asked.push(`${init.method} ${to} ${init.body ?? ''}`);
      return new Response('{"total":0,"items":[]}');
    });
    const { total } = await request('GET', '/api/roles/{id}/users', {
      path: { id: 'r 1' },
      query: { pageSize: 'all' },
    });
    await request('POST', '/api/users/bulk', { json: { users: [], change: { roleId: 'r' } } });
    expect(total).toBe(0);
    expect(asked).toEqual([
      'GET /api/roles/r%201/users?pageSize=all ',
      'POST /api/users/bulk {"users":[],"change":{"roleId":"r"}}',
    ]);
  });

  it('answers nothing where the work is only accepted', async () => {
    vi.stubGlobal('fetch', async () => new Response('', { status: 202 }));
    const path = { id: 'a' };
    expect(await request('POST', '/api/users/{id}/temporary-password', { path })).toBeUndefined();
  });

  it('is checked by the compiler', () => {
    const wrong = [
      // @ts-expect-error: there is no such path
      () => request('GET', '/api/nothing'),
      // @ts-expect-error: the path has no such method
      () => request('DELETE', '/api/users'),
      // @ts-expect-error: it takes an id
      () => request('GET', '/api/users/{id}'),
      // @ts-expect-error: a name is text
      () => request('POST', '/api/roles', { json: { name: 1, permissions: {} } }),
      // @ts-expect-error: a role has a name
      async () => (await request('GET', '/api/roles/{id}', { path: { id: '' } })).naming,
    ];
    expect(wrong).toHaveLength(5);
  });
});
