import { afterEach, describe, expect, it, vi } from 'vitest';
import { api, request, setHandlers } from './client';

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

  it('goes through once it is known who is here', async () => {
    const reauthenticate = vi.fn(() => Promise.resolve(true));
    setHandlers({ reauthenticate });
    const bodies = answers(problem(403, 'reauthenticate'));
    expect(await request('POST', '/api/x', { json: { a: 1 } })).toEqual({ ok: true });
    expect(reauthenticate).toHaveBeenCalledOnce();
    expect(bodies).toEqual(['{"a":1}', '{"a":1}']);
  });

  it('does so over the typed client, too, with its body', async () => {
    setHandlers({ reauthenticate: () => Promise.resolve(true) });
    const bodies = answers(problem(403, 'reauthenticate'));
    await api.POST('/v1/accounts:signInWithPassword', { body: { email: 'a' } as never });
    expect(bodies).toEqual(['{"email":"a"}', '{"email":"a"}']);
  });

  it('stays refused when that was not answered', async () => {
    const bodies = answers(problem(403, 'reauthenticate'));
    await expect(request('POST', '/api/x')).rejects.toMatchObject({ code: 'reauthenticate' });
    expect(bodies).toHaveLength(1);
  });

  it('is refused for good by a missing right', async () => {
    const reauthenticate = vi.fn(() => Promise.resolve(true));
    setHandlers({ reauthenticate });
    answers(problem(403, 'forbidden'));
    await expect(request('GET', '/api/x')).rejects.toMatchObject({ code: 'forbidden' });
    expect(reauthenticate).not.toHaveBeenCalled();
  });

  it('does not show what a machine said to a machine', async () => {
    answers(new Response('<html>', { status: 200 }));
    await expect(request('GET', '/api/x')).rejects.toThrow(
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
    await expect(request('GET', '/api/x')).rejects.toMatchObject({ code });
    expect(told.signedOut).toHaveBeenCalledTimes(out);
    expect(told.stepRequired).toHaveBeenCalledTimes(steps);
  });
});
