// Getting codes and ID tokens from the provider without a browser.

import { client, type OpenIdProvider } from '../support/oidc.ts';

export { client };

/** A cookie jar and fetch without following redirects. */
export class Visitor {
  readonly #cookies = new Map<string, string>();

  async get(address: string | URL): Promise<Response> {
    const answer = await fetch(address, {
      redirect: 'manual',
      headers: { cookie: [...this.#cookies].map(([name, value]) => `${name}=${value}`).join('; ') },
    });
    for (const cookie of answer.headers.getSetCookie()) {
      const pair = cookie.split(';')[0] ?? '';
      this.#cookies.set(pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1));
    }
    return answer;
  }

  has(name: string): boolean {
    return Boolean(this.#cookies.get(name));
  }

  cookie(name: string): string {
    return this.#cookies.get(name) ?? '';
  }

  take(name: string, value: string): void {
    this.#cookies.set(name, value);
  }
}

/** Chooses an account at the provider; returns the redirect URL. */
export async function choose(provider: OpenIdProvider, authorize: string, sub: string): Promise<URL> {
  const visitor = new Visitor();
  const asked = await visitor.get(authorize);
  const page = new URL(asked.headers.get('location') ?? '', provider.issuer);
  const chosen = await visitor.get(`${page}/${encodeURIComponent(sub)}`);
  const back = await visitor.get(new URL(chosen.headers.get('location') ?? '', provider.issuer));
  return new URL(back.headers.get('location') ?? '');
}

/** An ID token that the provider signed for the console. */
export async function signedIdToken(provider: OpenIdProvider, sub: string): Promise<string> {
  const redirect = 'http://127.0.0.1:9/code';
  const query = new URLSearchParams({
    client_id: client.id,
    response_type: 'code',
    scope: 'openid email profile',
    redirect_uri: redirect,
    prompt: 'select_account',
  });
  const back = await choose(provider, `${provider.issuer}/auth?${query}`, sub);
  const basic = Buffer.from([client.id, client.secret].map(encodeURIComponent).join(':')).toString('base64');
  const answer = await fetch(`${provider.issuer}/token`, {
    method: 'POST',
    headers: { authorization: `Basic ${basic}` },
    body: new URLSearchParams({
      grant_type: 'authorization_code',
      code: back.searchParams.get('code') ?? '',
      redirect_uri: redirect,
    }),
  });
  const { id_token } = (await answer.json()) as { id_token: string };
  return id_token;
}
