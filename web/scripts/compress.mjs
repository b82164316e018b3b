// Writes a .br file beside every text asset of the build, and collects in web/embed what the binary embeds: the compressed
// copies, and what is no text.
import {
  cpSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { brotliCompressSync, constants } from 'node:zlib';

const dist = new URL('../dist/', import.meta.url).pathname;
const embed = new URL('../embed/', import.meta.url).pathname;
const text = /\.(js|css|html|svg|json|txt|webmanifest)$/;

rmSync(embed, { recursive: true, force: true });
for (const entry of readdirSync(dist, { recursive: true })) {
  const [file, target] = [join(dist, String(entry)), join(embed, String(entry))];
  if (!statSync(file).isFile() || file.endsWith('.br')) continue;
  mkdirSync(dirname(target), { recursive: true });
  // index.html gets a nonce at every answer, so a compressed copy of it would be wrong.
  if (!text.test(file) || file.endsWith('index.html')) {
    cpSync(file, target);
    continue;
  }
  const raw = readFileSync(file);
  const small = brotliCompressSync(raw, {
    params: {
      [constants.BROTLI_PARAM_QUALITY]: 11,
      [constants.BROTLI_PARAM_SIZE_HINT]: raw.length,
    },
  });
  writeFileSync(`${file}.br`, small);
  writeFileSync(`${target}.br`, small);
}
