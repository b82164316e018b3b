// Proof of work: a number that, appended to the nonce and a colon, gives a SHA-256 with enough leading zero bits.
// Synchronous: a hundred thousand calls of the browser's digest cost more in promises than in hashing.

const K = new Uint32Array(64);
const START = new Uint32Array(8);

// SHA-256's constants: the first 32 bits of the fractional parts of roots of the first primes.
for (let found = 0, n = 2; found < 64; n++) {
  let prime = true;
  for (let d = 2; d * d <= n; d++) if (n % d === 0) prime = false;
  if (!prime) continue;
  const fraction = (root: number) => ((root % 1) * 0x1_0000_0000) >>> 0;
  if (found < 8) START[found] = fraction(n ** (1 / 2));
  K[found++] = fraction(Math.cbrt(n));
}

const turn = (x: number, by: number) => (x >>> by) | (x << (32 - by));
const words = new Uint32Array(64);

/** SHA-256 as eight words. */
export function sha256(message: Uint8Array): Uint32Array {
  const length = ((message.length + 8) >> 6) * 64 + 64;
  const padded = new Uint8Array(length);
  padded.set(message);
  padded[message.length] = 0x80;
  const view = new DataView(padded.buffer);
  view.setUint32(length - 8, Math.floor(message.length / 0x2000_0000));
  view.setUint32(length - 4, message.length << 3);
  const hash = START.slice();
  const at = (list: Uint32Array, i: number) => list[i] as number;
  for (let block = 0; block < length; block += 64) {
    for (let i = 0; i < 16; i++) words[i] = view.getUint32(block + i * 4);
    for (let i = 16; i < 64; i++) {
      const a = at(words, i - 15);
      const b = at(words, i - 2);
      words[i] =
        at(words, i - 16) +
        (turn(a, 7) ^ turn(a, 18) ^ (a >>> 3)) +
        at(words, i - 7) +
        (turn(b, 17) ^ turn(b, 19) ^ (b >>> 10));
    }
    let [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0] = hash;
    for (let i = 0; i < 64; i++) {
      const one =
        (h +
          (turn(e, 6) ^ turn(e, 11) ^ turn(e, 25)) +
          ((e & f) ^ (~e & g)) +
          at(K, i) +
          at(words, i)) |
        0;
      const two = ((turn(a, 2) ^ turn(a, 13) ^ turn(a, 22)) + ((a & b) ^ (a & c) ^ (b & c))) | 0;
      h = g;
      g = f;
      f = e;
      e = (d + one) | 0;
      d = c;
      c = b;
      b = a;
      a = (one + two) | 0;
    }
    const sums = [a, b, c, d, e, f, g, h];
    for (let i = 0; i < 8; i++) hash[i] = at(hash, i) + (sums[i] as number);
  }
  return hash;
}

/** Zero bits at the beginning of a hash. */
export function leadingZeros(hash: Uint32Array): number {
  let bits = 0;
  for (const word of hash) {
    bits += Math.clz32(word);
    if (word !== 0) break;
  }
  return bits;
}

/** The first number that solves it, as text. */
export function solve(nonce: string, difficulty: number): string {
  const encoder = new TextEncoder();
  for (let n = 0; ; n++) {
    const proof = String(n);
    if (leadingZeros(sha256(encoder.encode(`${nonce}:${proof}`))) >= difficulty) return proof;
  }
}
