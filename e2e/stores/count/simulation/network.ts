// The network between the tabs and the real server. It loses requests and answers, delays and repeats them, and has
// proxies that answer themselves. Everything that was sent is noted for the checks.

import { Agent, request } from 'node:http';
import type { Server } from '../../../support/server.ts';
import type { Browser, Tab } from './browser.ts';
import type { Dice } from './dice.ts';
import type { Time } from './time.ts';

type Fate =
  | 'passes'
  | 'neverArrives'
  | 'answerIsLost'
  | 'hangs'
  | 'isLate'
  | 'comesTwice'
  | 'isRefused'
  | 'meetsPortal'
  | 'isCutShort';

const FATES: Readonly<Record<Fate, number>> = {
  passes: 48,
  neverArrives: 10,
  answerIsLost: 12,
  hangs: 4,
  isLate: 4,
  comesTwice: 6,
  isRefused: 12,
  meetsPortal: 2,
  isCutShort: 2,
};
/** What proxies and overloaded servers answer. */
const STATUSES = [400, 403, 409, 423, 429, 500, 502, 503] as const;

interface Sent {
  method: string;
  path: string;
  headers: Record<string, string>;
  body: string | undefined;
  /** For a request to finish a count. */
  finished?: () => void;
}

interface Answered {
  status: number;
  text: string;
  type: string;
  cookies: readonly string[];
}

/** A count on its way. */
export interface SentEntry {
  op: string;
  seq: number;
  itemId: string;
  qty: number | null;
  note?: string;
}

/** What a network notes. */
export interface Witness {
  /** A tab sends counts, whether they arrive or not. */
  sent(browser: Browser, entries: readonly SentEntry[]): void;
  /** The server has accepted a batch. */
  taken(browser: Browser, entries: readonly SentEntry[]): void;
  /** A proxy refused this batch in a way that makes the console give up a single count. */
  refused(entries: readonly SentEntry[]): void;
  /** A tab asks the server to finish a count; returns what to call when it has. */
  finishing(browser: Browser): () => void;
  wrong(what: string): void;
}

/** Browsers end a request that is not answered. */
const BROWSER_PATIENCE_MS = 60_000;

const agent = new Agent({ keepAlive: true });

/** Sends a request, and resolves to the server's answer. */
export function ask(url: string, { method, path, headers, body }: Sent): Promise<Answered> {
  return new Promise((done, fail) => {
    const asking = request(url + path, { method, headers, agent }, (answer) => {
      const parts: Buffer[] = [];
      answer.on('data', (part: Buffer) => parts.push(part));
      answer.on('error', fail);
      answer.on('end', () =>
        done({
          status: answer.statusCode ?? 0,
          text: Buffer.concat(parts).toString(),
          type: answer.headers['content-type'] ?? '',
          cookies: answer.headers['set-cookie'] ?? [],
        }),
      );
    });
    asking.on('error', fail);
    asking.end(body);
  });
}

export class Network {
  /** While false, everything passes. */
  faulty = true;
  /** The next request to arrive finds the server killed while it works. */
  killsNext = false;

  constructor(
    readonly server: Server,
    readonly time: Time,
    readonly dice: Dice,
    readonly witness: Witness,
  ) {}

  complain(error: unknown): void {
    this.witness.wrong(`the page reports ${error instanceof Error ? error.stack : error}`);
  }

  /** `fetch` of a tab. */
  fetch(tab: Tab, path: string, init: RequestInit): Promise<Response> {
    return new Promise((done, fail) => {
      if (!tab.touch()) return;
      const { signal } = init;
      if (signal?.aborted) {
        fail(signal.reason);
        return;
      }
      signal?.addEventListener('abort', () => fail(signal.reason));
      const sent = this.#sent(tab.browser, init, path);
      const entries = entriesOf(sent);
      if (entries.length > 0) this.witness.sent(tab.browser, entries);
      if (path.endsWith('/count/finish')) sent.finished = this.witness.finishing(tab.browser);
      const breaks = (after: number) => this.time.after(after, () => fail(new TypeError('Failed to fetch')), tab);
      if (!tab.browser.online) {
        breaks(1);
        return;
      }
      const back = (answer: Answered) =>
        this.time.after(
          this.dice.between(5, 900),
          () => {
            for (const cookie of answer.cookies) tab.browser.cookie = cookie.split(';')[0] ?? '';
            if (tab.touch()) done(responseOf(answer));
          },
          tab,
        );
      this.#send(tab.browser, sent, this.faulty ? this.dice.weighted(FATES) : 'passes', back, breaks);
    });
  }

  #sent({ cookie }: Browser, { method = 'GET', headers, body }: RequestInit, path: string): Sent {
    if (body != null && typeof body !== 'string') throw new Error('only texts are sent here');
    const own = { origin: this.server.url, 'sec-fetch-site': 'same-origin', cookie };
    return { method, path, headers: { ...(headers as Record<string, string>), ...own }, body: body ?? undefined };
  }

  #send(
    browser: Browser,
    sent: Sent,
    fate: Fate,
    back: (answer: Answered) => void,
    breaks: (after: number) => void,
  ): void {
    const way = this.dice.between(5, 1_500);
    const arrive = async () => this.#arrive(browser, sent);
    const plan = (ms: number, then: (answer: Answered | null) => void) =>
      this.time.after(ms, () => void this.time.during(arrive().then(then, (error) => this.complain(error))));
    const answer = (given: Answered | null) => (given ? back(given) : breaks(1));
    switch (fate) {
      case 'passes':
        plan(way, answer);
        break;
      case 'neverArrives':
        breaks(way);
        break;
      case 'hangs':
        breaks(BROWSER_PATIENCE_MS);
        break;
      case 'answerIsLost':
        plan(way, () => breaks(this.dice.chance(50) ? way : BROWSER_PATIENCE_MS));
        break;
      case 'isLate':
        plan(this.dice.between(31_000, 150_000), () => {});
        breaks(BROWSER_PATIENCE_MS);
        break;
      case 'comesTwice':
        plan(way, answer);
        plan(way + this.dice.between(1, 120_000), () => {});
        break;
      case 'isRefused': {
        const entries = entriesOf(sent);
        // No proxy takes a single count for too large.
        const status = this.dice.of(entries.length > 1 ? [...STATUSES, 413] : STATUSES);
        if (status === 400 && entries.length === 1) this.witness.refused(entries);
        this.time.after(way, () => back({ status, text: 'no', type: 'text/plain', cookies: [] }));
        break;
      }
      case 'meetsPortal':
        this.time.after(way, () => back({ status: 200, text: '<html>Sign in to the Wi-Fi</html>', type: 'text/html', cookies: [] }));
        break;
      case 'isCutShort':
        plan(way, (given) => {
          if (given) back({ ...given, text: given.text.slice(0, given.text.length >> 1), cookies: [] });
          else breaks(1);
        });
    }
  }

  /** A request reaches the server's address; null without an answer. */
  async #arrive(browser: Browser, sent: Sent): Promise<Answered | null> {
    const entries = entriesOf(sent);
    const answering = ask(this.server.url, sent).catch(() => null);
    if (this.killsNext) {
      this.killsNext = false;
      await new Promise((done) => setTimeout(done, this.dice.between(0, 8)));
      await this.server.kill();
    }
    const answer = await answering;
    if (!answer) return null;
    if (answer.status === 200 && entries.length > 0) this.witness.taken(browser, entries);
    if (answer.status === 200) sent.finished?.();
    if (answer.status === 500) this.witness.wrong(`500 from the server: ${answer.text}`);
    return answer;
  }
}

function entriesOf({ path, body }: Sent): readonly SentEntry[] {
  if (!path.endsWith('/count/batch') || !body) return [];
  return (JSON.parse(body) as { entries: SentEntry[] }).entries;
}

function responseOf({ status, text, type }: Answered): Response {
  const empty = status === 204 || status === 304;
  return new Response(empty ? null : text, { status, headers: { 'content-type': type } });
}
