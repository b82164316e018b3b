// The emails of a server without a mail server, stored as text.

import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Server } from './server.ts';

/** The emails to an address so far, oldest first. */
export function lettersTo(server: Server, email: string): string[] {
  const folder = join(server.folder, 'outbox');
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .filter((name) => name.endsWith('.txt'))
    .sort()
    .map((name) => readFileSync(join(folder, name), 'utf8'))
    .filter((text) => text.startsWith('To: ') && (text.split('\n', 1)[0] ?? '').includes(`<${email}>`));
}

/** The path of the newest email's link; waits for the `count`th email. */
export async function linkTo(server: Server, email: string, count = 1): Promise<string> {
  for (const until = Date.now() + 15_000; Date.now() < until; ) {
    const letters = lettersTo(server, email);
    const link = /https?:\/\/[^\s/]+(\/reset-password\S+)/.exec(letters.at(-1) ?? '')?.[1];
    if (letters.length >= count && link) return link;
    await new Promise((done) => setTimeout(done, 100));
  }
  throw new Error(`no letter to ${email}`);
}
