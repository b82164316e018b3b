// Larder's API, used like an administrator's script.

export interface Made {
  id: string;
  uid: string;
  email: string;
  password: string;
  revision: number;
}

export class ApiClient {
  private constructor(
    private readonly url: string,
    private readonly token: string,
  ) {}

  static async signedIn(url: string, email: string, password: string): Promise<ApiClient> {
    const answer = await fetch(`${url}/v1/accounts:signInWithPassword`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ email, password, returnSecureToken: true }),
    });
    if (!answer.ok) throw new Error(`no sign-in: ${await answer.text()}`);
    const { idToken } = (await answer.json()) as { idToken: string };
    return new ApiClient(url, idToken);
  }

  async call<T = Record<string, never>>(method: string, path: string, body?: unknown): Promise<T> {
    const answer = await fetch(this.url + path, {
      method,
      headers: {
        authorization: `Bearer ${this.token}`,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await answer.text();
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${text}`);
    return (text ? JSON.parse(text) : undefined) as T;
  }

  /** A user with a password, without role and stores. */
  async user(who: { email: string; name: string; roleId?: string | null }): Promise<Made> {
    type User = { id: string; uid: string; email: string; revision: number };
    const user = await this.call<User>('POST', '/api/users', { roleId: null, ...who, password: 'invite' });
    const { link } = await this.call<{ link: string }>('POST', `/api/users/${user.id}/reset-link`, { mail: false });
    const password = `${who.name} keeps 7 carabaos`;
    const set = await fetch(`${this.url}/v1/accounts:resetPassword`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ oobCode: new URL(link).searchParams.get('oobCode'), newPassword: password }),
    });
    if (!set.ok) throw new Error(`no password: ${await set.text()}`);
    const now = await this.call<User>('GET', `/api/users/${user.id}`);
    return { id: now.id, uid: now.uid, email: now.email, revision: now.revision, password };
  }

  async change(user: Made, change: object): Promise<void> {
    const { revision } = await this.call<{ revision: number }>('PATCH', `/api/users/${user.id}`, {
      ...change,
      revision: user.revision,
    });
    user.revision = revision;
  }
}
