// The demo's data, made once in a run and copied by every file that needs it.

import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';

const TRIES = 600;

/** Runs before all tests; returns what runs after them. */
export default function begin(): () => void {
  const folder = mkdtempSync(join(tmpdir(), 'larder-e2e-demo-'));
  process.env.E2E_DEMO = folder;
  return () => rmSync(folder, { recursive: true, force: true });
}

/** Copies the demo's data into an empty folder. The first caller makes it, the others wait for that. */
export async function demoInto(folder: string, binary: string): Promise<void> {
  const kept = process.env.E2E_DEMO ?? '';
  const [data, done, failed] = ['data', 'done', 'failed'].map((name) => join(kept, name)) as [string, string, string];
  if (isFirst(data)) {
    const made = spawnSync(binary, ['demo', '--small', '--data-dir', data], { encoding: 'utf8' });
    writeFileSync(made.status === 0 ? done : failed, '');
    if (made.status !== 0) throw new Error(`no demo: ${made.stderr}`);
  }
  for (let tries = 0; !existsSync(done); tries += 1) {
    if (existsSync(failed) || tries === TRIES) throw new Error('no demo: see the test that made it first');
    await wait(500);
  }
  cpSync(data, folder, { recursive: true });
}

function isFirst(data: string): boolean {
  try {
    mkdirSync(data);
    return true;
  } catch {
    return false;
  }
}
