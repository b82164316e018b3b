// The real binary with its own data folder, one per worker.

import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { demoInto } from './demo.ts';

const target = process.env.CARGO_TARGET_DIR ?? resolve(import.meta.dirname, '../../target');
const binary = process.env.E2E_BINARY ?? resolve(target, 'debug/larder');

export const admin = { email: 'admin@larder.example', name: 'Ana Cruz', password: 'correct horse battery' };

export class Server {
  readonly folder = mkdtempSync(join(tmpdir(), 'larder-e2e-'));
  url = '';
  /** The token of the link that an empty server prints once. */
  firstStart = '';
  #process: ChildProcess | undefined;
  readonly #settings: Record<string, string>;

  /** `settings` are environment variables, such as `LARDER_SMTP_URL`. */
  constructor(settings: Record<string, string> = {}) {
    this.#settings = settings;
  }

  /** A server with the demo's data, and its sign-ins. */
  static async startWithDemo(): Promise<Server> {
    const server = new Server();
    await demoInto(server.folder, binary);
    await server.serve();
    return server;
  }

  /** A server with only its administrator. */
  static async start(settings?: Record<string, string>): Promise<Server> {
    if (!existsSync(binary)) throw new Error(`${binary} is missing: run cargo build -p larder`);
    const server = new Server(settings);
    const args = ['admin', 'create', '--data-dir', server.folder, '--email', admin.email, '--name', admin.name];
    const made = spawnSync(binary, [...args, '--password-stdin'], { input: admin.password, encoding: 'utf8' });
    if (made.status !== 0) throw new Error(`no admin: ${made.stderr}`);
    await server.serve();
    return server;
  }

  /** Starts serving; at the same address again if it served before. */
  async serve(): Promise<void> {
    const listen = this.url ? new URL(this.url).host : '127.0.0.1:0';
    const child = spawn(binary, ['serve', '--data-dir', this.folder, '--listen', listen], {
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { ...process.env, LARDER_LOG: 'info', ...this.#settings },
    });
    this.#process = child;
    let log = '';
    child.stderr.on('data', (chunk: Buffer) => {
      log = (log + chunk.toString()).slice(-20_000);
    });
    this.url = await new Promise<string>((done, fail) => {
      let said = '';
      child.stdout.on('data', (chunk: Buffer) => {
        said += chunk.toString();
        this.firstStart ||= /\/first-start#(\S+)/.exec(said)?.[1] ?? '';
        const found = /Larder is at (http:\S+)/.exec(said);
        if (found?.[1]) done(found[1]);
      });
      child.on('exit', (code) => fail(new Error(`larder ended with ${code}: ${log}`)));
    });
  }

  /** Ends the process at once, like a power cut. */
  async kill(): Promise<void> {
    await this.#end('SIGKILL');
  }

  /** Queries the database directly: the `count` of a query, even while the server is stopped. */
  count(sql: string): number {
    const db = new DatabaseSync(join(this.folder, 'larder.db'), { readOnly: true });
    try {
      return Number(db.prepare(sql).get()?.count);
    } finally {
      db.close();
    }
  }

  async stop(): Promise<void> {
    await this.#end('SIGTERM');
    rmSync(this.folder, { recursive: true, force: true });
  }

  async #end(signal: NodeJS.Signals): Promise<void> {
    const child = this.#process;
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    const ended = new Promise((done) => child.once('exit', done));
    child.kill(signal);
    await ended;
  }
}
