// Real till files from `testdata`.

import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { gunzipSync } from 'node:zlib';

export interface File {
  name: string;
  mimeType: string;
  buffer: Buffer;
}

export function realFile(name: string): File {
  const packed = readFileSync(resolve(import.meta.dirname, '../../testdata/sales', `${name}.gz`));
  return { name, mimeType: 'text/csv', buffer: gunzipSync(packed) };
}
