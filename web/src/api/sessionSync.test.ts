// @vitest-environment jsdom
import { afterEach, describe, expect, it, vi } from 'vitest';
import { syncSession, TOKEN_AGE_MS } from './sessionSync';

const NOW = Date.parse('2026-11-20T12:00:00Z');

function token(issuedAt: number): string {
  return `x.${btoa(JSON.stringify({ iat: issuedAt / 1000, name: '>>>???' }))
    .replace(/\+/g, '-')
    .replace(/\//g, '_')}.y`;
}

/** Answers the console's requests and records them in order. */
function server(issuedAt: number, status = 200) {
  const asked: [string, string, string | null][] = [];
  vi.stubGlobal(
    'fetch',
    vi.fn(async (input: Request | string, init?: RequestInit) => {
      const request = input instanceof Request ? input : null;
      const url = new URL(request?.url ?? String(input), location.origin);
      const headers = new Headers(request?.headers ?? init?.headers);
      asked.push([
        request?.method ?? init?.method ?? 'GET',
        url.href.replace(location.origin, ''),
        headers.get('authorization'),
      ]);
      const body = JSON.stringify({ idToken: token(issuedAt) });
      return new Response(body, { status, headers: { 'content-type': 'application/json' } });
    }),
  );
  return asked;
}

afterEach(() => vi.unstubAllGlobals());

describe('reporting a session to another application', () => {
  it('sends a fresh token on sign-in and sign-out', async () => {
    const asked = server(NOW - 1000);
    await syncSession('POST', '/portal/session', () => NOW);
    await syncSession('DELETE', '/portal/session', () => NOW);
    const bearer = `Bearer ${token(NOW - 1000)}`;
    expect(asked).toEqual([
      ['POST', '/api/session/token', null],
      ['POST', '/portal/session', bearer],
      ['POST', '/api/session/token', null],
      ['DELETE', '/portal/session', bearer],
    ]);
  });

  it('leaves out a token that is older than five minutes', async () => {
    const asked = server(NOW - TOKEN_AGE_MS - 1000);
    await syncSession('POST', '/portal/session', () => NOW);
    expect(asked.map(([, path]) => path)).toEqual(['/api/session/token']);
  });

  it('does nothing without an address or with a foreign one', async () => {
    const asked = server(NOW);
    for (const path of [
      undefined,
      null,
      '',
      '//elsewhere.example',
      'https://elsewhere.example/',
      'x',
    ]) {
      await syncSession('POST', path, () => NOW);
    }
    expect(asked).toEqual([]);
  });

  it('ignores failures', async () => {
    server(NOW, 500);
    await expect(syncSession('DELETE', '/portal/session', () => NOW)).resolves.toBeUndefined();
  });
});
