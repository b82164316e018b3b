import { queryString } from '#/paths';
import type { Answer, Method, Parts, PathOf } from './operations';
import { Problem } from './problem';
import { isAnswer, reachability } from './reachability';

/** Proves that a request comes from the console's own pages: forms of other sites cannot set headers. */
const OWN_HEADERS = { 'X-Larder': '1' };

interface Handlers {
  /** The session has ended. */
  signedOut(): void;
  /** The user must first change the password or set up a second factor. */
  stepRequired(): void;
  /** Asks the user to authenticate again; true when they did. */
  reauthenticate(): Promise<boolean>;
}

let handlers: Handlers = {
  signedOut() {},
  stepRequired() {},
  reauthenticate: () => Promise.resolve(false),
};

/** Sets the handlers; called by the code that renders dialogs. */
export function setHandlers(by: Partial<Handlers>): void {
  handlers = { ...handlers, ...by };
}

async function toProblem(response: Response): Promise<Problem> {
  const problem = await Problem.from(response);
  if (response.status === 401 && problem.code === 'unauthenticated') handlers.signedOut();
  if (problem.code === 'mustChangePassword' || problem.code === 'totpRequired')
    handlers.stepRequired();
  return problem;
}

/** Sends a request; when the server asks for re-authentication, does that and sends it again. */
async function sendReauthenticated(send: () => Promise<Response>): Promise<Response> {
  const response = await send();
  if (isAnswer(response)) reachability.markFound();
  else reachability.markLost();
  if (response.status !== 403) return response;
  const { code } = await Problem.from(response.clone());
  return code === 'reauthenticate' && (await handlers.reauthenticate()) ? send() : response;
}

function unreachable(error: unknown): unknown {
  // An aborted request is the caller's own doing and is passed on as it is.
  if (error instanceof DOMException && error.name === 'AbortError') return error;
  reachability.markLost();
  return Problem.offline();
}

type QueryValue = string | number | boolean | null | undefined;

/** Arrays are sent as `a,b,c`. */
function flattenQuery(query: Record<string, unknown>): Record<string, QueryValue> {
  const entries = Object.entries(query).map(([name, value]) => [
    name,
    Array.isArray(value) ? value.join(',') : (value as QueryValue),
  ]);
  return Object.fromEntries(entries) as Record<string, QueryValue>;
}

interface Sending {
  signal?: AbortSignal;
  /** A second try with the same key gets the first answer. */
  retryKey?: string;
  /** Compresses a long body; only for endpoints that accept it. */
  gzip?: true;
}

interface Options extends Sending {
  query?: Record<string, unknown>;
  json?: unknown;
  raw?: Blob;
  /** Several files; the browser sets the boundary. */
  form?: FormData;
}

type Given<M extends Method, P extends PathOf<M>> = Parts<M, P> & Sending;

/** Sends a contract request; the types of parameters, body and response follow from the path. */
export function request<M extends Method, P extends PathOf<M>>(
  method: M,
  path: P,
  ...[given]: object extends Parts<M, P> ? [given?: Given<M, P>] : [given: Given<M, P>]
): Promise<Answer<M, P>> {
  const { path: values, ...options } = (given ?? {}) as Options & { path?: object };
  return requestAt(method, filled(path, values as Record<string, unknown> | undefined), options);
}

/** A path from the contract with its parameters filled in. */
export function filled(path: string, values: Readonly<Record<string, unknown>> = {}): string {
  return path.replace(/\{(\w+)\}/g, (_, name) => encodeURIComponent(String(values[name])));
}

/** Bodies below this many characters are not worth compressing. */
const GZIP_FROM = 1_000;

/** The compressed text; null if it is short or the browser cannot compress. */
async function pack(text: string): Promise<Blob | null> {
  if (text.length < GZIP_FROM || !('CompressionStream' in globalThis)) return null;
  const stream = new Blob([text]).stream().pipeThrough(new CompressionStream('gzip'));
  return new Response(stream).blob();
}

/** Sends a request to a path built at run time, such as a list's; the caller types the response. */
export async function requestAt<T>(
  method: string,
  path: string,
  options: Options = {},
): Promise<T> {
  const { query, json, raw, form, signal } = options;
  const headers: Record<string, string> = { ...OWN_HEADERS };
  if (json !== undefined) headers['Content-Type'] = 'application/json';
  if (raw) headers['Content-Type'] = 'application/octet-stream';
  if (options.retryKey) headers['Idempotency-Key'] = options.retryKey;
  const text = json === undefined ? undefined : JSON.stringify(json);
  const packed = options.gzip && text !== undefined ? await pack(text) : null;
  if (packed) headers['Content-Encoding'] = 'gzip';
  let response: Response;
  try {
    response = await sendReauthenticated(() =>
      fetch(path + queryString(flattenQuery(query ?? {})), {
        method,
        headers,
        body: form ?? raw ?? packed ?? text,
        signal,
      }),
    );
  } catch (error) {
    throw unreachable(error);
  }
  if (!response.ok) throw await toProblem(response);
  if (await isEmpty(response)) return undefined as T;
  return (await response.json().catch(() => {
    throw Problem.unreadable(response.status);
  })) as T;
}

/** Whether the response has no body, as a 202 may. */
async function isEmpty(response: Response): Promise<boolean> {
  if (response.status === 204) return true;
  return response.status === 202 && (await response.clone().text()) === '';
}
