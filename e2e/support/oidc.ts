// A real OpenID provider on loopback in Google's place: it asks for the account, issues tokens for it, and can issue
// tokens that the console must refuse.

import { createServer, type Server as HttpServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import Provider, { interactionPolicy } from 'oidc-provider';

export interface Person {
  sub: string;
  email: string;
  email_verified: boolean;
  name: string;
  hd?: string;
}

export const client = { id: 'larder-console', secret: 'a secret between the console and the provider' };

export class OpenIdProvider {
  issuer = '';
  #server: HttpServer | undefined;
  #redirects: string[];
  readonly people: Map<string, Person>;
  /** The parameters of the browser's last request. */
  asked = new URLSearchParams();

  constructor(people: Person[], redirects: string[] = []) {
    this.people = new Map(people.map((person) => [person.sub, person]));
    this.#redirects = redirects;
  }

  /** Starts on a free port; the console's URL can be set later with `allow`. */
  async start(): Promise<void> {
    const server = createServer((request, response) => {
      // The browser itself uses the system clock and would drop cookies that expire at the tests' time.
      const set = response.setHeader.bind(response);
      response.setHeader = (name, value) =>
        set(name, /^set-cookie$/i.test(name) ? [value].flat().map((one) => String(one).replace(/; *expires=[^;]*/i, '')) : value);
      void this.#handle?.(request, response);
    });
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
    this.#server = server;
    this.issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    this.allow();
  }

  #handle: ReturnType<Provider['callback']> | undefined;

  /** Recreates the provider with these redirect URLs. */
  allow(...redirects: string[]): void {
    this.#redirects.push(...redirects);
    const policy = interactionPolicy.base();
    policy.add(new interactionPolicy.Prompt({ name: 'select_account', requestable: true }), 0);
    const provider = new Provider(this.issuer, {
      clients: [
        {
          client_id: client.id,
          client_secret: client.secret,
          redirect_uris: this.#redirects.length ? this.#redirects : ['http://127.0.0.1:9/nowhere'],
          response_types: ['code'],
          grant_types: ['authorization_code'],
          token_endpoint_auth_method: 'client_secret_basic',
        },
      ],
      claims: { openid: ['sub', 'hd'], email: ['email', 'email_verified'], profile: ['name'] },
      conformIdTokenClaims: false,
      extraParams: ['hd'],
      pkce: { required: () => false },
      cookies: { keys: ['only for tests'] },
      features: { devInteractions: { enabled: false } },
      interactions: { policy, url: (_context, interaction) => `/choose/${interaction.uid}` },
      findAccount: (_context, sub) => {
        const person = this.people.get(sub);
        return person && { accountId: sub, claims: () => ({ ...person }) };
      },
      loadExistingGrant: async (context) => {
        const grant = new context.oidc.provider.Grant({
          clientId: context.oidc.client?.clientId,
          accountId: context.oidc.session?.accountId,
        });
        grant.addOIDCScope('openid email profile');
        await grant.save();
        return grant;
      },
    });
    provider.use(async (context, next) => {
      if (context.path === '/auth') this.asked = new URLSearchParams(context.querystring);
      const chosen = /^\/choose\/[^/]+\/(.+)$/.exec(context.path)?.[1];
      if (chosen) {
        const result =
          chosen === 'cancel'
            ? { error: 'access_denied', error_description: 'the person cancelled' }
            : { login: { accountId: decodeURIComponent(chosen) }, select_account: {} };
        await provider.interactionFinished(context.req, context.res, result, { mergeWithLastSubmission: false });
        context.respond = false;
        return;
      }
      if (context.path.startsWith('/choose/')) {
        const items = [...this.people.values(), { sub: 'cancel', email: 'Cancel' }].map(
          ({ sub, email }) => `<li><a href="${context.path}/${encodeURIComponent(sub)}">${email}</a>`,
        );
        context.type = 'html';
        context.body = `<!doctype html><html lang="en"><title>Choose an account</title><ul>${items.join('')}</ul>`;
        return;
      }
      await next();
    });
    this.#handle = provider.callback();
  }

  async stop(): Promise<void> {
    this.#server?.closeAllConnections();
    await new Promise((done) => this.#server?.close(done));
  }
}
