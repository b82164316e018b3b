// The service worker: the console's code without a network. It never answers for the API; what the
// screens need of that lies in IndexedDB. Built into /sw.js with the list of files of its version.
export interface Build {
  version: string;
  /** What counting needs: without one of these the version does not take over. */
  first: readonly string[];
  /** Fetched when there is time. */
  rest: readonly string[];
}

interface Lasting {
  waitUntil(work: Promise<unknown>): void;
}

interface Fetched {
  request: Request;
  respondWith(answer: Promise<Response>): void;
}

/** What of a service worker's own world is used here; the compiler only knows pages. */
interface Scope {
  location: Location;
  clients: { claim(): Promise<void> };
  skipWaiting(): Promise<void>;
  addEventListener(type: 'install' | 'activate', heard: (event: Lasting) => void): void;
  addEventListener(type: 'fetch', heard: (event: Fetched) => void): void;
}

declare const __BUILD__: Build;
const scope = globalThis as unknown as Scope;

const { version, first, rest } = __BUILD__;
const PREFIX = 'larder-shell-';
const NAME = PREFIX + version;
const PAGE = '/';
/** A network that does not answer within this is none. */
const PATIENCE_MS = 4_000;

scope.addEventListener('install', (event) => {
  event.waitUntil(
    (async () => {
      const cache = await caches.open(NAME);
      // The page is new at every answer, its files have their versions in their names.
      await cache.put(PAGE, await fetched(new Request(PAGE, { cache: 'reload' })));
      await Promise.all(first.map((path) => store(cache, path)));
      await scope.skipWaiting();
    })(),
  );
});

scope.addEventListener('activate', (event) => {
  event.waitUntil(
    (async () => {
      const names = await caches.keys();
      const old = names.filter((name) => name.startsWith(PREFIX) && name !== NAME);
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

/** Addresses that the console draws; everything else is the server's alone. */
function isPage(url: URL): boolean {
  return !/^\/(api|v1|v2|session|metrics|identitytoolkit|securetoken)(\/|$)|\.\w+$/.test(
    url.pathname,
  );
}

/** The page fresh from the server, or the one kept when the server does not answer. */
async function page(request: Request): Promise<Response> {
  const kept = async () => (await caches.open(NAME)).match(PAGE, { ignoreVary: true });
  const asking = fetch(request);
  const late = new Promise<undefined>((done) => {
    setTimeout(done, PATIENCE_MS);
  });
  try {
    const answer = await Promise.race([asking, late]);
    // A proxy says with these that nobody is behind it.
    if (answer && ![502, 503, 504].includes(answer.status)) return answer;
    return (await kept()) ?? (await asking);
  } catch (error) {
    const found = await kept();
    if (!found) throw error;
    return found;
  }
}

async function file(request: Request): Promise<Response> {
  const cache = await caches.open(NAME);
  const known = await cache.match(request, { ignoreVary: true });
  if (known) return known;
  const answer = await fetch(request);
  // Only what belongs to this version: hashed files of another one would never be asked for again.
  const path = new URL(request.url).pathname;
  if (answer.ok && rest.includes(path)) void cache.put(request, answer.clone()).catch(() => {});
  return answer;
}

async function fetchRest(): Promise<void> {
  const { connection } = navigator as { connection?: { saveData?: boolean } };
  if (connection?.saveData) return;
  const cache = await caches.open(NAME);
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
  // Hashed files never change, so the browser's own copy will do.
  const fresh = path.startsWith('/assets/') ? 'default' : 'reload';
  await cache.put(path, await fetched(new Request(path, { cache: fresh })));
}

async function fetched(request: Request): Promise<Response> {
  const answer = await fetch(request);
  if (!answer.ok) throw new Error(`${request.url}: ${answer.status}`);
  return answer;
}
