import createClient, { type Middleware } from 'openapi-fetch';
import { queryString } from '#/paths';
import { Problem } from './problem';
import type { paths } from './schema.gen';

/** Proves to the server that a request comes from our own pages and not from a forged form. */
const OURS = { 'X-Larder': '1' };

let whenSignedOut: () => void = () => {};

/** Called when the server no longer knows the session. */
export function onSignedOut(listener: () => void): void {
  whenSignedOut = listener;
}

async function failed(response: Response): Promise<Problem> {
  const problem = await Problem.from(response);
  if (response.status === 401) whenSignedOut();
  return problem;
}

function unreachable(error: unknown): unknown {
  // An aborted request is the caller's own doing and is passed on as it is.
  if (error instanceof DOMException && error.name === 'AbortError') return error;
  return Problem.offline();
}

const ours: Middleware = {
  onRequest({ request }) {
    request.headers.set('X-Larder', '1');
    return request;
  },
  async onResponse({ response }) {
    if (!response.ok) throw await failed(response);
  },
  onError({ error }) {
    return unreachable(error) as Error;
  },
};

/** The typed client: addresses, parameters and answers come from openapi.json. */
export const api = createClient<paths>({
  baseUrl: globalThis.location?.origin,
  fetch: (request) => globalThis.fetch(request),
  querySerializer: (query) => queryString(flat(query as Record<string, unknown>)).slice(1),
});
api.use(ours);

type Plain = string | number | boolean | null | undefined;

/** Lists travel as `a,b,c`. */
function flat(query: Record<string, unknown>): Record<string, Plain> {
  const entries = Object.entries(query).map(([name, value]) => [
    name,
    Array.isArray(value) ? value.join(',') : (value as Plain),
  ]);
  return Object.fromEntries(entries) as Record<string, Plain>;
}

/** The answer's body; failures have already been thrown as a `Problem`. */
export async function body<T>(call: Promise<{ data?: T }>): Promise<NonNullable<T>> {
  const { data } = await call;
  return data as NonNullable<T>;
}

interface Options {
  query?: Record<string, unknown>;
  json?: unknown;
  raw?: Blob;
  signal?: AbortSignal;
}

/** For engines whose address is made at run time, such as the lists. */
export async function request<T>(method: string, path: string, options: Options = {}): Promise<T> {
  const { query, json, raw, signal } = options;
  const headers: Record<string, string> = { ...OURS };
  if (json !== undefined) headers['Content-Type'] = 'application/json';
  if (raw) headers['Content-Type'] = 'application/octet-stream';
  let response: Response;
  try {
    response = await fetch(path + queryString(flat(query ?? {})), {
      method,
      headers,
      body: raw ?? (json === undefined ? undefined : JSON.stringify(json)),
      signal,
    });
  } catch (error) {
    throw unreachable(error);
  }
  if (!response.ok) throw await failed(response);
  return (response.status === 204 ? undefined : await response.json()) as T;
}
