// A proxy before a server that answers with another release of the console: its code has other file names and another
// version, and the old files are gone, as after an upgrade.

import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Server } from './server.ts';

const TEXT = /text|javascript|json/;

export class ReleaseProxy {
  url = '';
  #next = false;
  #entry = '';
  #version = '';
  readonly #http = createServer((asked, answer) => void this.#pass(asked, answer));
  readonly #behind: URL;

  private constructor(server: Server) {
    this.#behind = new URL(server.url);
  }

  static async before(server: Server): Promise<ReleaseProxy> {
    const proxy = new ReleaseProxy(server);
    await new Promise<void>((done) => proxy.#http.listen(0, '127.0.0.1', done));
    proxy.url = `http://127.0.0.1:${(proxy.#http.address() as AddressInfo).port}`;
    const [page, worker] = await Promise.all(['/', '/sw.js'].map(async (path) => (await fetch(server.url + path)).text()));
    proxy.#entry = /\/assets\/(index-[\w-]+)\.js/.exec(page ?? '')?.[1] ?? '';
    proxy.#version = /version:`(\w+)`/.exec(worker ?? '')?.[1] ?? '';
    if (!proxy.#entry || !proxy.#version) throw new Error('the console has no entry or no version');
    return proxy;
  }

  /** Serves the next release from now on. Its pages have `data-release="next"`. */
  upgrade(): void {
    this.#next = true;
  }

  async stop(): Promise<void> {
    this.#http.closeAllConnections();
    await new Promise((done) => this.#http.close(done));
  }

  async #pass(asked: IncomingMessage, answer: ServerResponse): Promise<void> {
    const path = asked.url ?? '/';
    const old = `/assets/${this.#entry}.js`;
    if (this.#next && path === old) {
      answer.writeHead(404).end();
      return;
    }
    const { hostname, port } = this.#behind;
    const headers = { ...asked.headers, 'accept-encoding': 'identity' };
    if (this.#next) delete headers['if-none-match'];
    const file = this.#next ? path.replace('index-next', this.#entry) : path;
    const passed = request({ hostname, port, method: asked.method, path: file, headers }, (came) => {
      if (!this.#next || path.startsWith('/api/') || !TEXT.test(came.headers['content-type'] ?? '')) {
        answer.writeHead(came.statusCode ?? 502, came.headers);
        came.pipe(answer);
        return;
      }
      let text = '';
      came.setEncoding('utf8').on('data', (chunk: string) => {
        text += chunk;
      });
      came.on('end', () => {
        text = text.replaceAll(this.#entry, 'index-next').replaceAll(this.#version, 'next');
        if (file === old) text += '\ndocument.documentElement.dataset.release = "next";';
        const { 'content-length': _, 'transfer-encoding': __, etag: ___, ...rest } = came.headers;
        answer.writeHead(came.statusCode ?? 502, rest).end(text);
      });
    });
    passed.on('error', () => answer.destroy());
    asked.pipe(passed);
  }
}
