// Device attestation before signing in: the browser holds a non-extractable key and signs the server's nonce. The
// server only uses it to limit attempts per device, so a browser that cannot do it may still sign in.

import type { components } from './schema.gen';

const DATABASE = 'larder-device';
const STORE = 'keys';
const KEY = 'attestation';

/** Time limit of each step. */
const PATIENCE_MS = 2_500;
/** Under attack the server requires a proof of work, which takes a while on a cheap phone. */
const WORK_PATIENCE_MS = 45_000;

type Schemas = components['schemas'];

/** A fresh token for `X-Device-Attestation`; null if the browser cannot make one. */
export async function attest(): Promise<string | null> {
  try {
    const holding = deviceKey();
    // Failures are handled below.
    holding.catch(() => {});
    const asked = await within(PATIENCE_MS, post<Schemas['DeviceNonce']>('/api/device/nonce', {}));
    const work = asked.difficulty > 0;
    const made = await within(
      work ? WORK_PATIENCE_MS : PATIENCE_MS,
      Promise.all([holding, work ? prove(asked) : undefined]).then(([key, proof]) =>
        payload(key, asked.nonce, proof),
      ),
    );
    const { token } = await within(
      PATIENCE_MS,
      post<Schemas['DeviceToken']>('/api/device/attest', made),
    );
    return token;
  } catch {
    return null;
  }
}

/** The server's nonce, signed: ECDSA P-256 over SHA-256, as the 64 bytes r and s. */
export async function payload(
  key: CryptoKeyPair,
  nonce: string,
  proof?: string,
): Promise<Schemas['DeviceProof']> {
  const signature = await crypto.subtle.sign(
    { name: 'ECDSA', hash: 'SHA-256' },
    key.privateKey,
    new TextEncoder().encode(nonce),
  );
  const jwk = await crypto.subtle.exportKey('jwk', key.publicKey);
  const { kty = '', crv = '', x = '', y = '' } = jwk;
  return {
    nonce,
    publicKey: { kty, crv, x, y },
    signature: base64url(new Uint8Array(signature)),
    ...(proof === undefined ? {} : { proof }),
  };
}

export function newKey(): Promise<CryptoKeyPair> {
  return crypto.subtle.generateKey({ name: 'ECDSA', namedCurve: 'P-256' }, false, [
    'sign',
    'verify',
  ]);
}

async function deviceKey(): Promise<CryptoKeyPair> {
  const database = await open();
  try {
    const kept = await ask<CryptoKeyPair | undefined>(
      database.transaction(STORE).objectStore(STORE).get(KEY),
    );
    if (kept) return kept;
    const made = await newKey();
    const store = database.transaction(STORE, 'readwrite').objectStore(STORE);
    await ask(store.put(made, KEY));
    return made;
  } finally {
    database.close();
  }
}

function open(): Promise<IDBDatabase> {
  const opening = indexedDB.open(DATABASE, 1);
  opening.onupgradeneeded = () => opening.result.createObjectStore(STORE);
  return ask(opening);
}

function ask<T>(request: IDBRequest<T>): Promise<T> {
  return new Promise((done, fail) => {
    request.onsuccess = () => done(request.result);
    request.onerror = () => fail(request.error);
  });
}

function prove(asked: Schemas['DeviceNonce']): Promise<string> {
  return new Promise((done, fail) => {
    const worker = new Worker(new URL('./proof.worker.ts', import.meta.url), { type: 'module' });
    worker.onmessage = ({ data }: MessageEvent<string>) => {
      worker.terminate();
      done(data);
    };
    worker.onerror = (event) => {
      worker.terminate();
      fail(new Error(event.message));
    };
    worker.postMessage(asked);
    setTimeout(() => worker.terminate(), WORK_PATIENCE_MS);
  });
}

async function post<T>(path: string, json: unknown): Promise<T> {
  const response = await fetch(path, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', 'X-Larder': '1' },
    body: JSON.stringify(json),
  });
  if (!response.ok) throw new Error(String(response.status));
  return (await response.json()) as T;
}

function within<T>(ms: number, promise: Promise<T>): Promise<T> {
  const late = new Promise<never>((_, fail) => {
    setTimeout(() => fail(new Error('too slow')), ms);
  });
  return Promise.race([promise, late]);
}

export function base64url(bytes: Uint8Array): string {
  return btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replace(/=+$/, '');
}
