// QR codes (ISO/IEC 18004) for addresses: bytes, error correction M, up to 213 of them.

/** For versions 1 to 10 at level M: error correction codewords per block, and blocks. */
const CORRECTION = [10, 16, 26, 18, 24, 16, 18, 22, 22, 26];
const BLOCKS = [1, 1, 1, 2, 2, 4, 4, 4, 5, 5];
/** The two bits for level M. */
const LEVEL_M = 0;

function codewords(version: number): number {
  let modules = (16 * version + 128) * version + 64;
  if (version >= 2) {
    const aligned = Math.floor(version / 7) + 2;
    modules -= (25 * aligned - 10) * aligned - 55;
    if (version >= 7) modules -= 36;
  }
  return modules >> 3;
}

const at = <T>(list: ArrayLike<T>, i: number): T => list[i] as T;

/** The product of two bytes in the code's finite field. */
function times(a: number, b: number): number {
  let product = 0;
  for (let bit = 7; bit >= 0; bit -= 1) {
    product = (product << 1) ^ ((product >>> 7) * 0x11d);
    product ^= ((b >>> bit) & 1) * a;
  }
  return product;
}

function divisor(degree: number): number[] {
  const result = new Array<number>(degree).fill(0);
  result[degree - 1] = 1;
  let root = 1;
  for (let i = 0; i < degree; i += 1) {
    for (let j = 0; j < degree; j += 1) {
      result[j] = times(at(result, j), root) ^ (j + 1 < degree ? at(result, j + 1) : 0);
    }
    root = times(root, 2);
  }
  return result;
}

function remainder(data: readonly number[], by: readonly number[]): number[] {
  const result = by.map(() => 0);
  for (const byte of data) {
    const factor = byte ^ (result.shift() ?? 0);
    result.push(0);
    by.forEach((one, i) => {
      result[i] = at(result, i) ^ times(one, factor);
    });
  }
  return result;
}

/** The text's bytes with header and padding for the version. */
function dataOf(bytes: Uint8Array, version: number, capacity: number): number[] {
  const bits: number[] = [];
  const push = (value: number, length: number) => {
    for (let i = length - 1; i >= 0; i -= 1) bits.push((value >>> i) & 1);
  };
  push(4, 4);
  push(bytes.length, version < 10 ? 8 : 16);
  for (const byte of bytes) push(byte, 8);
  push(0, Math.min(4, capacity * 8 - bits.length));
  push(0, (8 - (bits.length % 8)) % 8);
  for (let pad = 0xec; bits.length < capacity * 8; pad ^= 0xec ^ 0x11) push(pad, 8);
  const data: number[] = [];
  for (let i = 0; i < bits.length; i += 8) {
    data.push(bits.slice(i, i + 8).reduce((byte, bit) => (byte << 1) | bit, 0));
  }
  return data;
}

/** Blocks with their error correction, interleaved. */
function weave(data: readonly number[], version: number): number[] {
  const total = codewords(version);
  const blocks = at(BLOCKS, version - 1);
  const correction = at(CORRECTION, version - 1);
  const short = blocks - (total % blocks);
  const length = Math.floor(total / blocks);
  const by = divisor(correction);
  const parts: number[][] = [];
  for (let i = 0, from = 0; i < blocks; i += 1) {
    const to = from + length - correction + (i < short ? 0 : 1);
    const part = data.slice(from, to);
    from = to;
    const checks = remainder(part, by);
    if (i < short) part.push(-1);
    parts.push([...part, ...checks]);
  }
  const woven: number[] = [];
  for (let i = 0; i <= length; i += 1) {
    for (const part of parts) {
      const byte = part[i];
      if (byte !== undefined && byte >= 0) woven.push(byte);
    }
  }
  return woven;
}

function alignments(version: number, size: number): number[] {
  if (version === 1) return [];
  const count = Math.floor(version / 7) + 2;
  const step = Math.ceil((size - 13) / (2 * count - 2)) * 2;
  const found = [6];
  for (let i = 0, place = size - 7; i < count - 1; i += 1, place -= step) found.splice(1, 0, place);
  return found;
}

const MASKS: readonly ((x: number, y: number) => boolean)[] = [
  (x, y) => (x + y) % 2 === 0,
  (_, y) => y % 2 === 0,
  (x) => x % 3 === 0,
  (x, y) => (x + y) % 3 === 0,
  (x, y) => (Math.floor(x / 3) + Math.floor(y / 2)) % 2 === 0,
  (x, y) => ((x * y) % 2) + ((x * y) % 3) === 0,
  (x, y) => (((x * y) % 2) + ((x * y) % 3)) % 2 === 0,
  (x, y) => (((x + y) % 2) + ((x * y) % 3)) % 2 === 0,
];

class Grid {
  readonly dark: boolean[][];
  readonly fixed: boolean[][];

  readonly size: number;

  constructor(size: number) {
    this.size = size;
    this.dark = Array.from({ length: size }, () => new Array<boolean>(size).fill(false));
    this.fixed = Array.from({ length: size }, () => new Array<boolean>(size).fill(false));
  }

  fix(x: number, y: number, dark: boolean): void {
    at(this.dark, y)[x] = dark;
    at(this.fixed, y)[x] = true;
  }

  patterns(version: number): void {
    const { size } = this;
    for (let i = 0; i < size; i += 1) {
      this.fix(6, i, i % 2 === 0);
      this.fix(i, 6, i % 2 === 0);
    }
    for (const [x, y] of [
      [3, 3],
      [size - 4, 3],
      [3, size - 4],
    ] as const) {
      this.square(x, y, 4, (ring) => ring !== 2 && ring !== 4);
    }
    const places = alignments(version, size);
    const last = places.length - 1;
    places.forEach((x, i) => {
      places.forEach((y, j) => {
        const corner = (i === 0 && (j === 0 || j === last)) || (i === last && j === 0);
        if (!corner) this.square(x, y, 2, (ring) => ring !== 1);
      });
    });
    this.format(0);
    if (version >= 7) this.version(version);
  }

  square(x: number, y: number, reach: number, dark: (ring: number) => boolean): void {
    for (let dy = -reach; dy <= reach; dy += 1) {
      for (let dx = -reach; dx <= reach; dx += 1) {
        const [px, py] = [x + dx, y + dy];
        if (px < 0 || py < 0 || px >= this.size || py >= this.size) continue;
        this.fix(px, py, dark(Math.max(Math.abs(dx), Math.abs(dy))));
      }
    }
  }

  format(mask: number): void {
    const data = (LEVEL_M << 3) | mask;
    let rest = data;
    for (let i = 0; i < 10; i += 1) rest = (rest << 1) ^ ((rest >>> 9) * 0x537);
    const bits = ((data << 10) | rest) ^ 0x5412;
    const bit = (i: number) => ((bits >>> i) & 1) === 1;
    const { size } = this;
    for (let i = 0; i <= 5; i += 1) this.fix(8, i, bit(i));
    this.fix(8, 7, bit(6));
    this.fix(8, 8, bit(7));
    this.fix(7, 8, bit(8));
    for (let i = 9; i < 15; i += 1) this.fix(14 - i, 8, bit(i));
    for (let i = 0; i < 8; i += 1) this.fix(size - 1 - i, 8, bit(i));
    for (let i = 8; i < 15; i += 1) this.fix(8, size - 15 + i, bit(i));
    this.fix(8, size - 8, true);
  }

  version(version: number): void {
    let rest = version;
    for (let i = 0; i < 12; i += 1) rest = (rest << 1) ^ ((rest >>> 11) * 0x1f25);
    const bits = (version << 12) | rest;
    for (let i = 0; i < 18; i += 1) {
      const dark = ((bits >>> i) & 1) === 1;
      const [a, b] = [this.size - 11 + (i % 3), Math.floor(i / 3)];
      this.fix(a, b, dark);
      this.fix(b, a, dark);
    }
  }

  /** Places the codewords, column pair by column pair, up and down. */
  fill(woven: readonly number[]): void {
    let i = 0;
    for (let right = this.size - 1; right >= 1; right -= 2) {
      if (right === 6) right = 5;
      for (let step = 0; step < this.size; step += 1) {
        for (let j = 0; j < 2; j += 1) {
          const x = right - j;
          const up = ((right + 1) & 2) === 0;
          const y = up ? this.size - 1 - step : step;
          if (at(at(this.fixed, y), x) || i >= woven.length * 8) continue;
          at(this.dark, y)[x] = ((at(woven, i >>> 3) >>> (7 - (i & 7))) & 1) === 1;
          i += 1;
        }
      }
    }
  }

  mask(which: number): void {
    const flips = at(MASKS, which);
    for (let y = 0; y < this.size; y += 1) {
      for (let x = 0; x < this.size; x += 1) {
        if (!at(at(this.fixed, y), x) && flips(x, y))
          at(this.dark, y)[x] = !at(at(this.dark, y), x);
      }
    }
  }

  /** The mask's penalty: long runs, blocks, and too much of one shade. */
  penalty(): number {
    const { size, dark } = this;
    let sum = 0;
    let shade = 0;
    for (let a = 0; a < size; a += 1) {
      for (const across of [true, false]) {
        const cell = (b: number) => (across ? at(at(dark, a), b) : at(at(dark, b), a));
        let run = 1;
        for (let b = 1; b <= size; b += 1) {
          if (b < size && cell(b) === cell(b - 1)) run += 1;
          else {
            if (run >= 5) sum += run - 2;
            run = 1;
          }
        }
      }
      for (let b = 0; b < size; b += 1) {
        const one = at(at(dark, a), b);
        if (one) shade += 1;
        const block =
          a > 0 &&
          b > 0 &&
          one === at(at(dark, a - 1), b) &&
          one === at(at(dark, a), b - 1) &&
          one === at(at(dark, a - 1), b - 1);
        if (block) sum += 3;
      }
    }
    return sum + Math.floor(Math.abs((shade * 20) / (size * size) - 10)) * 10;
  }
}

/** The modules of a text's code, row by row; null when it is too long. */
export function qrOf(text: string): readonly (readonly boolean[])[] | null {
  const bytes = new TextEncoder().encode(text);
  for (let version = 1; version <= 10; version += 1) {
    const capacity = codewords(version) - at(CORRECTION, version - 1) * at(BLOCKS, version - 1);
    const needed = 4 + (version < 10 ? 8 : 16) + bytes.length * 8;
    if (needed > capacity * 8) continue;
    const grid = new Grid(version * 4 + 17);
    grid.patterns(version);
    grid.fill(weave(dataOf(bytes, version, capacity), version));
    let best = { mask: 0, penalty: Number.POSITIVE_INFINITY };
    for (let mask = 0; mask < MASKS.length; mask += 1) {
      grid.mask(mask);
      grid.format(mask);
      const penalty = grid.penalty();
      if (penalty < best.penalty) best = { mask, penalty };
      grid.mask(mask);
    }
    grid.mask(best.mask);
    grid.format(best.mask);
    return grid.dark;
  }
  return null;
}
