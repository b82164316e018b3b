// Requests and types of the users pages.
import { request } from '#/api/client';
import type { Body } from '#/api/operations';
import { Problem } from '#/api/problem';
import { queries } from '#/api/queries';
import type { components } from '#/api/schema.gen';
import { queryString } from '#/paths';

type Schemas = components['schemas'];
/** The declared fields only, without custom ones. */
type Declared<T> = { [K in keyof T as string extends K ? never : K]: T[K] };
/** Makes optional fields required that the server always sends. */
type WithRequired<T, K extends keyof T> = Omit<T, K> & { [P in K]-?: Exclude<T[P], undefined> };

export type User = WithRequired<
  Declared<Schemas['User']>,
  'uid' | 'roleId' | 'roleName' | 'storeIds' | 'lastSignInAt'
>;
export type Role = Schemas['Role'] & {
  /** Whether its users work in stores: they are saved only with the stores chosen. */
  needsStores?: boolean;
};
export type Catalogue = Schemas['PermissionCatalogue'];
export type ApplicationState = 'pending' | 'approved' | 'rejected';
export type Application = Schemas['Application'] & { state: ApplicationState };
export type Session = Schemas['UserSession'];
export type Activity = Omit<Schemas['Activity'], 'detail'> & {
  detail?: Record<string, unknown> | null;
};
export type ImportRow = Schemas['ImportedRow'];
export type ImportResult = Schemas['UserImport'];
export type NewUser = Declared<Schemas['NewUserBody']>;
export type BulkChange = Schemas['BulkFields'];
export type Status = 'Active' | 'Disabled';

export interface Outcome {
  id: string;
  ok: boolean;
  problem?: { detail?: string; title?: string } | null;
}

export interface Answer<T> {
  items: T[];
  total: number;
}

type Query = Record<string, string | number | undefined>;
type Signal = AbortSignal | undefined;
const byId = (id: string) => ({ path: { id } });

/** Users changed by one request at most. */
const TOGETHER = 500;

export const usersApi = {
  page: (query: Query, signal?: Signal) =>
    request('GET', '/api/users', { query, signal }) as Promise<Answer<User>>,
  get: (id: string, signal?: Signal) =>
    request('GET', '/api/users/{id}', { path: { id }, signal }) as Promise<User>,
  /** `key` makes the request idempotent: sent twice, it creates one user. */
  create: (user: NewUser, key: string) =>
    request('POST', '/api/users', { json: user, retryKey: key }) as Promise<User>,
  update: (id: string, revision: number, changed: object) =>
    request('PATCH', '/api/users/{id}', {
      path: { id },
      json: { ...changed, revision },
    }) as Promise<User>,
  temporaryPassword: (id: string) =>
    request('POST', '/api/users/{id}/temporary-password', byId(id)),
  resetLink: (id: string, mail: boolean) =>
    request('POST', '/api/users/{id}/reset-link', { ...byId(id), json: { mail } }),
  sessions: (id: string, signal?: Signal) =>
    request('GET', '/api/users/{id}/sessions', { ...byId(id), signal }),
  signOut: (id: string) => request('POST', '/api/users/{id}/sign-out', byId(id)),
  endSession: (id: string, sessionId: string) =>
    request('DELETE', '/api/users/{id}/sessions/{sessionId}', { path: { id, sessionId } }),
  removeTotp: (id: string) => request('DELETE', '/api/users/{id}/totp', byId(id)),
  /** Sends several requests if there are more users than one takes. */
  bulk: async (users: readonly { id: string; revision: number }[], change: BulkChange) => {
    const outcomes: Outcome[] = [];
    for (let i = 0; i < users.length; i += TOGETHER) {
      const part = { users: users.slice(i, i + TOGETHER), change };
      const { items } = await request('POST', '/api/users/bulk', { json: part });
      outcomes.push(...(items as Outcome[]));
    }
    return outcomes;
  },
  importCsv: (file: Blob, dryRun: boolean) =>
    request('POST', '/api/users/import', { query: { dryRun }, raw: file }),
  exportHref: (format: string, query: Query) =>
    `/api/users/export${queryString({ format, ...query })}`,
};

export const rolesApi = {
  all: (signal?: Signal): Promise<Role[]> =>
    request('GET', '/api/roles', { signal }).then(({ items }) => items),
  get: (id: string, signal?: Signal) => request('GET', '/api/roles/{id}', { ...byId(id), signal }),
  create: (role: object) =>
    request('POST', '/api/roles', { json: role as Body<'POST', '/api/roles'> }),
  update: (id: string, revision: number, changed: object) =>
    request('PATCH', '/api/roles/{id}', { path: { id }, json: { ...changed, revision } }),
  users: (id: string, signal?: Signal) =>
    request('GET', '/api/roles/{id}/users', {
      path: { id },
      query: { pageSize: 'all' },
      signal,
    }).then(({ items }) => items),
  catalogue: (signal?: Signal) => request('GET', '/api/permissions', { signal }),
};

export const applicationsApi = {
  page: (query: Query, signal?: Signal) =>
    request('GET', '/api/applications', { query, signal }) as Promise<Answer<Application>>,
  /** One application in any state; null if it does not exist. */
  find: async (id: string, signal?: Signal) => {
    const { items } = await applicationsApi.page({ pageSize: 'all' }, signal);
    return items.find((one) => one.id === id) ?? null;
  },
  approve: (id: string, answer: Schemas['Approval']) =>
    request('POST', '/api/applications/{id}/approve', { ...byId(id), json: answer }),
  reject: (id: string, answer: Schemas['Rejection']) =>
    request('POST', '/api/applications/{id}/reject', { ...byId(id), json: answer }),
};

/** The user id of a session, which only knows the account's uid. */
export async function personOf({ uid, userEmail }: Session): Promise<string> {
  const { items } = await usersApi.page({ q: userEmail, pageSize: 100 });
  const found = items.find((user) => user.uid === uid);
  if (!found) throw new Problem(404, 'notFound', `${userEmail} is no longer among the people.`);
  return found.id;
}

export const sessionsApi = {
  page: (query: Query, signal?: Signal) => request('GET', '/api/sessions', { query, signal }),
};

export const activityApi = {
  page: (query: Query & { kind: string }, signal?: Signal) =>
    request('GET', '/api/activity', { query, signal }),
};

/** Refetches everything on screen about users. */
export function peopleChanged(): void {
  void queries.invalidateQueries({ queryKey: ['people'] });
}
