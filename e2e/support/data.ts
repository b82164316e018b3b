// Real till files, which lie beside the project where its builders keep them.

import { existsSync } from 'node:fs';
import { resolve } from 'node:path';

export function sharedFile(name: string): { path: string; missing: string | false } {
  const path = resolve(import.meta.dirname, '../../../shared/data', name);
  return { path, missing: existsSync(path) ? false : `${name} is not beside the project (../shared/data)` };
}
