import createClient, { type Middleware } from 'openapi-fetch';
import { queryString } from '#/paths';
import { Problem } from './problem';
import { isAnswer, reach } from './reach';
import type { paths } from './schema.gen';

/** Proves to the server that a request comes from our own pages and not from a forged form. */
const OURS = { 'X-Larder': '1' };

interface Watchers {
  /** The server no longer knows the session. */
  signedOut(): void;
  /** Something is asked of the person first: a new password, a second factor. */
  held(): void;
  /** Asks who is here again; true once that was answered. */
  reauthenticate(): Promise<boolean>;
}

let watchers: Watchers = {
  signedOut() {},
  held() {},
  reauthenticate: () => Promise.resolve(false),
};

/** Whoever draws the screens answers for these. */
export function watch(by: Partial<Watchers>): void {
  watchers = { ...watchers, ...by };
}

async function failed(response: Response): Promise<Problem> {
  const problem = await Problem.from(response);
  if (response.status === 401 && problem.code === 'unauthenticated') watchers.signedOut();
  if (problem.code === 'mustChangePassword' || problem.code === 'totpRequired') watchers.held();
  return problem;
}

/** Sends; when the server wants to know first who is really here, asks that and sends again. */
async function insist(send: () => Promise<Response>): Promise<Response> {
  const response = await send();
  if (isAnswer(response)) reach.found();
  else reach.lost();
  if (response.status !== 403) return response;
  const { code } = await Problem.from(response.clone());
  return code === 'reauthenticate' && (await watchers.reauthenticate()) ? send() : response;
}

function unreachable(error: unknown): unknown {
  // An aborted request is the caller's own doing and is passed on as it is.
  if (error instanceof DOMException && error.name === 'AbortError') return error;
  reach.lost();
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
  // A request is spent by sending it; a copy stays for the second time.
  fetch: (request) => insist(() => globalThis.fetch(request.clone())),
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
  /** Packs a long body on its way; only for what the server takes so. */
  packed?: true;
}

/** Shorter than this it fits a packet or two anyway. */
const WORTH_PACKING = 1_000;

/** Packed with gzip where that is worth it and the browser can; null otherwise. */
async function pack(text: string): Promise<Blob | null> {
  if (text.length < WORTH_PACKING || !('CompressionStream' in globalThis)) return null;
  const stream = new Blob([text]).stream().pipeThrough(new CompressionStream('gzip'));
  return new Response(stream).blob();
}

/** For engines whose address is made at run time, such as the lists. */
export async function request<T>(method: string, path: string, options: Options = {}): Promise<T> {
  const { query, json, raw, signal } = options;
  const headers: Record<string, string> = { ...OURS };
  if (json !== undefined) headers['Content-Type'] = 'application/json';
  if (raw) headers['Content-Type'] = 'application/octet-stream';
  const text = json === undefined ? undefined : JSON.stringify(json);
  const packed = options.packed && text !== undefined ? await pack(text) : null;
  if (packed) headers['Content-Encoding'] = 'gzip';
  let response: Response;
  try {
    response = await insist(() =>
      fetch(path + queryString(flat(query ?? {})), {
        method,
        headers,
        body: raw ?? packed ?? text,
        signal,
      }),
    );
  } catch (error) {
    throw unreachable(error);
  }
  if (!response.ok) throw await failed(response);
  if (response.status === 204) return undefined as T;
  return (await response.json().catch(() => {
    throw Problem.unreadable(response.status);
  })) as T;
}
