// @vitest-environment node
import { createHash, createPublicKey, verify } from 'node:crypto';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { attest, newKey, payload } from './device';
import { leadingZeros, sha256, solve } from './proof';

describe('attestation', () => {
  afterEach(() => {
    vi.unstubAllGlobals();
  });

  it('signs the nonce with a non-extractable key', async () => {
    const key = await newKey();
    expect(key.privateKey.extractable).toBe(false);
    const made = await payload(key, 'the nonce', '17');
    expect(made).toMatchObject({ nonce: 'the nonce', proof: '17' });
    expect(Object.keys(made.publicKey).sort()).toEqual(['crv', 'kty', 'x', 'y']);
    expect(made.signature).toMatch(/^[\w-]{86}$/);
    const holds = verify(
      'sha256',
      Buffer.from('the nonce'),
      {
        key: createPublicKey({ key: made.publicKey as never, format: 'jwk' }),
        dsaEncoding: 'ieee-p1363',
      },
      Buffer.from(made.signature, 'base64url'),
    );
    expect(holds).toBe(true);
  });

  it('skips the proof of work when none is required', async () => {
    expect(await payload(await newKey(), 'n')).not.toHaveProperty('proof');
  });

  it('never blocks sign-in: no nonce, no database, no token', async () => {
    vi.stubGlobal('fetch', () => Promise.reject(new TypeError('fetch failed')));
    expect(await attest()).toBeNull();
    vi.stubGlobal('fetch', async () => new Response('{}', { status: 404 }));
    expect(await attest()).toBeNull();
    vi.stubGlobal('fetch', async () => new Response('{"nonce":"n","difficulty":0}'));
    expect(await attest()).toBeNull();
  });
});

describe('proof of work', () => {
  const hex = (words: Uint32Array) =>
    [...words].map((word) => word.toString(16).padStart(8, '0')).join('');

  it.each([0, 1, 3, 55, 56, 63, 64, 65, 200])('computes SHA-256 of %i bytes', (length) => {
    const text = 'Larder'.repeat(40).slice(0, length);
    const expected = createHash('sha256').update(text).digest('hex');
    expect(hex(sha256(new TextEncoder().encode(text)))).toBe(expected);
  });

  it('finds a number whose hash has enough leading zeros', () => {
    for (const difficulty of [1, 8, 13]) {
      const proof = solve('a nonce', difficulty);
      const hash = createHash('sha256').update(`a nonce:${proof}`).digest();
      expect(BigInt(`0x${hash.toString('hex')}`) >> BigInt(256 - difficulty)).toBe(0n);
    }
  });

  it('counts zeros across word boundaries', () => {
    expect(leadingZeros(new Uint32Array([0, 1]))).toBe(63);
    expect(leadingZeros(new Uint32Array([0x8000_0000, 0]))).toBe(0);
  });
});
