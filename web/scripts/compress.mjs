// Writes a .br file beside every text asset of the build. The binary embeds these alone.
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync, constants } from 'node:zlib';

const dist = new URL('../dist/', import.meta.url).pathname;
const text = /\.(js|css|html|svg|json|txt|webmanifest)$/;

for (const entry of readdirSync(dist, { recursive: true })) {
  const file = join(dist, String(entry));
  // index.html gets a nonce at every answer, so a compressed copy of it would be wrong.
  if (!statSync(file).isFile() || !text.test(file) || file.endsWith('index.html')) continue;
  const raw = readFileSync(file);
  const small = brotliCompressSync(raw, {
    params: {
      [constants.BROTLI_PARAM_QUALITY]: 11,
      [constants.BROTLI_PARAM_SIZE_HINT]: raw.length,
    },
  });
  writeFileSync(`${file}.br`, small);
}
