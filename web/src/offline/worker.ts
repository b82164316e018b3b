// The service worker serves the console's code without a network. It never answers for the API; the data
// that screens need offline is in IndexedDB. Built into /sw.js with the list of files of its version.
export interface Build {
  version: string;
  /** The files counting needs: a version without all of them is not activated. */
  first: readonly string[];
  /** Fetched after activation. */
  rest: readonly string[];
}

interface InstallEvent {
  waitUntil(work: Promise<unknown>): void;
}

interface WorkerFetchEvent {
  request: Request;
  respondWith(answer: Promise<Response>): void;
}

/** The part of ServiceWorkerGlobalScope used here; the compiler's `lib` only has pages. */
interface WorkerScope {
  location: Location;
  clients: { claim(): Promise<void> };
  skipWaiting(): Promise<void>;
  addEventListener(type: 'install' | 'activate', listener: (event: InstallEvent) => void): void;
  addEventListener(type: 'fetch', listener: (event: WorkerFetchEvent) => void): void;
}

declare const __BUILD__: Build;
const scope = globalThis as unknown as WorkerScope;

const { version, first, rest } = __BUILD__;
const PREFIX = 'larder-shell-';
const CACHE_NAME = PREFIX + version;
const PAGE = '/';
/** After this long without an answer the cached page is shown. */
const PATIENCE_MS = 4_000;

scope.addEventListener('install', (event) => {
  event.waitUntil(
    (async () => {
      const cache = await caches.open(CACHE_NAME);
      // Only the page must be fetched anew; hashed file names change with their content.
      await cache.put(PAGE, await fetchOk(new Request(PAGE, { cache: 'reload' })));
      await Promise.all(first.map((path) => store(cache, path)));
      await scope.skipWaiting();
    })(),
  );
});

scope.addEventListener('activate', (event) => {
  event.waitUntil(
    (async () => {
      const names = await caches.keys();
      const old = names.filter((name) => name.startsWith(PREFIX) && name !== CACHE_NAME);
      await Promise.all(old.map((name) => caches.delete(name)));
      await scope.clients.claim();
    })(),
  );
  void fetchRest();
});

scope.addEventListener('fetch', (event) => {
  const { request } = event;
  const url = new URL(request.url);
  if (request.method !== 'GET' || url.origin !== scope.location.origin) return;
  if (request.mode === 'navigate') {
    if (isPage(url)) event.respondWith(page(request));
  } else if (url.pathname.startsWith('/assets/') || first.includes(url.pathname)) {
    event.respondWith(file(request));
  }
});

/** Whether the console renders this address; everything else is left to the server. */
function isPage(url: URL): boolean {
  return !/^\/(api|v1|v2|session|metrics|identitytoolkit|securetoken)(\/|$)|\.\w+$/.test(
    url.pathname,
  );
}

/** The page from the server, or the cached one when the server does not answer. */
async function page(request: Request): Promise<Response> {
  const kept = async () => (await caches.open(CACHE_NAME)).match(PAGE, { ignoreVary: true });
  const asking = fetch(request);
  const late = new Promise<undefined>((done) => {
    setTimeout(done, PATIENCE_MS);
  });
  try {
    const answer = await Promise.race([asking, late]);
    // A proxy sends these when the server behind it is down.
    if (answer && ![502, 503, 504].includes(answer.status)) return answer;
    return (await kept()) ?? (await asking);
  } catch (error) {
    const found = await kept();
    if (!found) throw error;
    return found;
  }
}

async function file(request: Request): Promise<Response> {
  const cache = await caches.open(CACHE_NAME);
  const known = await cache.match(request, { ignoreVary: true });
  if (known) return known;
  const answer = await fetch(request);
  // Files of another version are never requested again.
  const path = new URL(request.url).pathname;
  if (answer.ok && rest.includes(path)) void cache.put(request, answer.clone()).catch(() => {});
  return answer;
}

async function fetchRest(): Promise<void> {
  const { connection } = navigator as { connection?: { saveData?: boolean } };
  if (connection?.saveData) return;
  const cache = await caches.open(CACHE_NAME);
  for (const path of rest) {
    try {
      if (!(await cache.match(path, { ignoreVary: true }))) await store(cache, path);
    } catch {
      return;
    }
  }
}

async function store(cache: Cache, path: string): Promise<void> {
  if (await cache.match(path, { ignoreVary: true })) return;
  // Hashed files never change, so the browser's HTTP cache may serve them.
  const fresh = path.startsWith('/assets/') ? 'default' : 'reload';
  await cache.put(path, await fetchOk(new Request(path, { cache: fresh })));
}

async function fetchOk(request: Request): Promise<Response> {
  const answer = await fetch(request);
  if (!answer.ok) throw new Error(`${request.url}: ${answer.status}`);
  return answer;
}
