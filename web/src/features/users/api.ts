// What the people screens ask of the server.
import { request } from '#/api/client';
import { Problem } from '#/api/problem';
import { queries } from '#/api/queries';
import type { Saved } from '#/form/useRecordForm';
import { queryString } from '#/paths';
import type { Answer } from '#/table/sources';
import type { Grants } from './rights';

export type Status = 'Active' | 'Disabled';

export interface User extends Saved {
  uid: string | null;
  email: string;
  name: string;
  roleId: string | null;
  roleName: string | null;
  status: Status;
  billable: boolean;
  superAdmin: boolean;
  /** Null reaches every store; an empty list none. */
  storeIds: string[] | null;
  totp: boolean;
  providers: string[];
  lastSignInAt: string | null;
  hasTempPassword: boolean;
  /** Only of one user, to those who may edit, until it is used. */
  tempPassword?: string | null;
  createdAt: string;
}

export interface Role extends Saved {
  name: string;
  description: string;
  permissions: Grants;
  requireTotp: boolean;
  users: number;
  createdAt: string;
}

export interface Catalogue {
  categories: {
    key: string;
    label: string;
    pages: { key: string; label: string; actions: string[] }[];
  }[];
}

export type ApplicationState = 'pending' | 'approved' | 'rejected';

export interface Application extends Saved {
  name: string;
  email: string;
  mobile: string;
  position: string;
  store: string;
  reason: string;
  state: ApplicationState;
  note: string;
  userId: string | null;
  decidedAt: string | null;
  decidedBy: { name?: string | null } | null;
  createdAt: string;
}

export interface Session {
  id: string;
  uid: string;
  userName: string;
  userEmail: string;
  kind: 'office' | 'tablet' | 'client' | string;
  provider: string;
  createdAt: string;
  lastSeenAt: string;
  expiresAt: string;
  userAgent: string;
  origin: string;
  current?: boolean;
}

/** One row of the audit, or one security event. */
export interface Activity {
  seq: number;
  at: string;
  /** Who did it; around signing in, whom it is about. */
  by: { uid: string; name: string; email: string };
  origin: string;
  userAgent?: string | null;
  /** A change: what was changed, and how. */
  kind?: string;
  recordId?: string;
  recordName?: string | null;
  action?: 'created' | 'updated' | 'deleted';
  changes?: { field: string; before: unknown; after: unknown }[];
  /** A security event. */
  event?: string;
  detail?: Record<string, unknown>;
}

export interface Outcome {
  id: string;
  ok: boolean;
  problem?: { detail?: string; title?: string; code?: string } | null;
}

export interface ImportRow {
  row: number;
  email: string;
  outcome: 'created' | 'updated' | 'unchanged' | 'failed';
  message: string | null;
  fields: { field: string; message: string }[];
}

export interface ImportResult {
  created: number;
  updated: number;
  unchanged: number;
  failed: number;
  rows: ImportRow[];
}

export interface NewUser {
  email: string;
  name: string;
  roleId: string | null;
  storeIds: string[] | null;
  billable: boolean;
  superAdmin?: boolean;
  password: 'temporary' | 'invite';
}

export interface BulkChange {
  status?: Status;
  roleId?: string | null;
  storeIds?: string[] | null;
  addStoreIds?: string[];
  removeStoreIds?: string[];
}

type Query = Record<string, string | number | undefined>;
const TOGETHER = 500;
type Signal = AbortSignal | undefined;
const at = (id: string) => encodeURIComponent(id);

export const usersApi = {
  page: (query: Query, signal?: Signal) =>
    request<Answer<User>>('GET', '/api/users', { query, signal }),
  get: (id: string, signal?: Signal) => request<User>('GET', `/api/users/${at(id)}`, { signal }),
  create: (user: NewUser) => request<User>('POST', '/api/users', { json: user }),
  update: (id: string, revision: number, changed: object) =>
    request<User>('PATCH', `/api/users/${at(id)}`, { json: { ...changed, revision } }),
  temporaryPassword: (id: string) =>
    request<unknown>('POST', `/api/users/${at(id)}/temporary-password`),
  resetLink: (id: string, mail: boolean) =>
    request<{ link: string; expiresAt: string }>('POST', `/api/users/${at(id)}/reset-link`, {
      json: { mail },
    }),
  sessions: (id: string, signal?: Signal) =>
    request<Answer<Session>>('GET', `/api/users/${at(id)}/sessions`, { signal }),
  signOut: (id: string) => request<{ ended: number }>('POST', `/api/users/${at(id)}/sign-out`),
  endSession: (id: string, session: string) =>
    request<void>('DELETE', `/api/users/${at(id)}/sessions/${at(session)}`),
  removeTotp: (id: string) => request<void>('DELETE', `/api/users/${at(id)}/totp`),
  /** In parts, as many as the server takes at once. */
  bulk: async (users: readonly { id: string; revision: number }[], change: BulkChange) => {
    const outcomes: Outcome[] = [];
    for (let i = 0; i < users.length; i += TOGETHER) {
      const { items } = await request<{ items: Outcome[] }>('POST', '/api/users/bulk', {
        json: { users: users.slice(i, i + TOGETHER), change },
      });
      outcomes.push(...items);
    }
    return outcomes;
  },
  importCsv: (file: Blob, dryRun: boolean) =>
    request<ImportResult>('POST', '/api/users/import', {
      query: { dryRun: String(dryRun) },
      raw: file,
    }),
  exportHref: (format: string, query: Query) =>
    `/api/users/export${queryString({ format, ...query })}`,
};

export const rolesApi = {
  all: (signal?: Signal) =>
    request<Answer<Role>>('GET', '/api/roles', { signal }).then(({ items }) => items),
  get: (id: string, signal?: Signal) => request<Role>('GET', `/api/roles/${at(id)}`, { signal }),
  create: (role: object) => request<Role>('POST', '/api/roles', { json: role }),
  update: (id: string, revision: number, changed: object) =>
    request<Role>('PATCH', `/api/roles/${at(id)}`, { json: { ...changed, revision } }),
  users: (id: string, signal?: Signal) =>
    request<Answer<User>>('GET', `/api/roles/${at(id)}/users`, { signal }).then(
      ({ items }) => items,
    ),
  catalogue: (signal?: Signal) => request<Catalogue>('GET', '/api/permissions', { signal }),
};

export const applicationsApi = {
  page: (query: Query, signal?: Signal) =>
    request<Answer<Application>>('GET', '/api/applications', { query, signal }),
  /** One of them, wherever it stands; null when there is none. */
  find: async (id: string, signal?: Signal) => {
    const { items } = await applicationsApi.page({ pageSize: 1000 }, signal);
    return items.find((one) => one.id === id) ?? null;
  },
  approve: (id: string, answer: { roleId: string; storeIds: string[] | null; revision: number }) =>
    request<unknown>('POST', `/api/applications/${at(id)}/approve`, { json: answer }),
  reject: (id: string, answer: { note: string; revision: number }) =>
    request<unknown>('POST', `/api/applications/${at(id)}/reject`, { json: answer }),
};

/** Whose session it is: sessions know the account, and people are opened by their own id. */
export async function personOf({ uid, userEmail }: Session): Promise<string> {
  const { items } = await usersApi.page({ q: userEmail, pageSize: 100 });
  const found = items.find((user) => user.uid === uid);
  if (!found) throw new Problem(404, 'notFound', `${userEmail} is no longer among the people.`);
  return found.id;
}

export const sessionsApi = {
  page: (query: Query, signal?: Signal) =>
    request<Answer<Session>>('GET', '/api/sessions', { query, signal }),
};

export const activityApi = {
  page: (query: Query, signal?: Signal) =>
    request<Answer<Activity>>('GET', '/api/activity', { query, signal }),
};

/** Everything about people that is on screen asks again. */
export function peopleChanged(): void {
  void queries.invalidateQueries({ queryKey: ['people'] });
}
