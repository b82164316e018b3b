// A seed's story: users count on two or three devices in one store while everything fails that can. In the end all is
// repaired, and every count has to be at the server.

import type { Script } from 'node:vm';
import type { Server } from '../../../support/server.ts';
import { Browser, type Tab } from './browser.ts';
import { Dice } from './dice.ts';
import { ask, Network } from './network.ts';
import { Time } from './time.ts';
import { type Event, type Rest, type Said, Truth, type Typed } from './truth.ts';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
/** An open page tries at least this often. */
const SENDS_WITHIN_MS = 70 * SECOND;
const SESSION = 'opening';
/** Pieces in a pack of every item. */
const PACK = 12;

/** What a story needs of the server. */
export interface Stage {
  server: Server;
  storeId: string;
  date: string;
  /** The last one is not counted in the store any more. */
  items: readonly { id: string }[];
  users: readonly { uid: string; signIn(): Promise<string> }[];
  /** A manager's view, which no fault touches. */
  manager: { call<T>(method: string, path: string, body?: unknown): Promise<T> };
}

export class World {
  readonly #dice: Dice;
  readonly #time = new Time();
  readonly #truth = new Truth();
  readonly #network: Network;
  readonly #browsers: Browser[];
  /**
   * A browser that is killed loses the last seconds of localStorage, or the database is wiped: with both a count has no
   * copy left.
   */
  readonly #wipes: boolean;
  readonly #log: string[] = [];
  #marks = 0;
  #serves = true;

  constructor(
    readonly stage: Stage,
    seed: number,
    script: Script,
  ) {
    const dice = new Dice(seed);
    this.#dice = dice;
    this.#wipes = dice.chance(50);
    this.#network = new Network(stage.server, this.#time, new Dice(dice.next()), this.#truth);
    this.#browsers = Array.from({ length: 2 + dice.between(0, 2) }, (_, n) => {
      const own = new Dice(dice.next());
      return new Browser(`phone ${n + 1}`, script, this.#time, own, this.#network, dice.chance(85));
    });
    for (const browser of this.#browsers) browser.skew = dice.between(-HOUR, HOUR);
  }

  /** Plays the story; returns what went wrong, and how it went. */
  async live(): Promise<{ wrong: readonly string[]; log: readonly string[] }> {
    try {
      await this.#play();
    } finally {
      // For the next story.
      if (!this.#serves) await this.stage.server.serve();
    }
    await this.#settle();
    return { wrong: this.#truth.faults, log: this.#log };
  }

  async #play(): Promise<void> {
    for (const browser of this.#browsers) {
      browser.cookie = await this.#dice.of(this.stage.users).signIn();
      await this.#open(browser);
    }
    for (let steps = this.#dice.between(15, 45); steps > 0; steps -= 1) {
      await this.#step();
      const pause = this.#dice.weighted({ none: 4, short: 8, long: 3, longer: 1 });
      const longest = { none: 1, short: 3 * SECOND, long: MINUTE, longer: 12 * MINUTE }[pause];
      await this.#time.pass(this.#dice.between(0, longest));
    }
  }

  #note(text: string): void {
    this.#log.push(`${new Date(this.#time.now).toISOString().slice(11, 23)} ${text}`);
  }

  get #scope() {
    return { storeId: this.stage.storeId, date: this.stage.date, session: SESSION } as const;
  }

  async #open(browser: Browser): Promise<Tab> {
    this.#note(`${browser.name}: opens a tab`);
    const tab = browser.open();
    if (this.#dice.chance(15)) tab.fuse = this.#dice.between(1, 120);
    void tab.page.open(this.#scope);
    await this.#time.pass(2 * SECOND);
    return tab;
  }

  async #step(): Promise<void> {
    const browser = this.#dice.of(this.#browsers);
    const what = this.#dice.weighted({
      ...{ types: 46, typesMany: 4, leaves: 4, looks: 5, finishes: 6, rechecks: 2, sendsNow: 3, fillsUp: 4 },
      ...{ opens: 7, closes: 4, dies: 5, browserDies: 4, losesNetwork: 5, storage: 8, wipe: 5, clock: 3 },
      ...{ signsOut: 3, sessionEnds: 3, serverDies: 1 },
    });
    const tab = browser.live.length > 0 ? this.#dice.of(browser.live) : null;
    if (what === 'storage') this.#breakStorage(browser);
    else if (what === 'wipe') this.#wipe(browser);
    else if (what === 'clock') this.#setClock(browser);
    else if (what === 'losesNetwork') this.#switchNetwork(browser);
    else if (what === 'serverDies') await this.#switchServer();
    else if (what === 'browserDies') this.#killBrowser(browser);
    else if (what === 'sessionEnds') await this.#endSession(browser);
    else if (!tab || (what === 'opens' && browser.live.length < 3)) await this.#open(browser);
    else if (tab.page.signedIn() === null) await this.#signIn(tab);
    else await this.#act(tab, what);
  }

  async #act(tab: Tab, what: string): Promise<void> {
    const { page, browser } = tab;
    if (what === 'closes') tab.kill();
    if (what === 'dies') tab.fuse = this.#dice.between(1, 40);
    if (what === 'signsOut') {
      void page.signOut();
      await this.#time.pass(SECOND);
    }
    if (what === 'looks') void page.look(this.#scope).catch(() => {});
    if (what === 'rechecks') void page.recheck().catch(() => {});
    if (what === 'sendsNow') void page.sendNow();
    if (what === 'finishes') await this.#finish(tab);
    if (what === 'types') await this.#type(tab);
    if (what === 'fillsUp') await this.#fillUp(tab);
    if (what === 'typesMany') await this.#typeMany(tab);
    if (what === 'leaves') {
      const typed = this.#newTyped(tab);
      page.leave(typed.itemId, Number(typed.mark));
      // The console does not say so, but it writes before it ends.
      if (tab.alive && !browser.faults.mirrorIsFull) typed.said = 'mirror';
      if (this.#dice.chance(50)) tab.kill();
    }
    if (!['types', 'opens'].includes(what)) this.#note(`${browser.name}: ${what}`);
  }

  #newTyped(tab: Tab, mark?: string): Typed {
    this.#marks += 1;
    const { id } = this.#dice.of(this.stage.items);
    const uid = tab.page.signedIn() ?? '';
    const typed: Typed = { mark: mark ?? String(this.#marks), itemId: id, browser: tab.browser, tab, uid, said: null, excused: false };
    this.#truth.typed.push(typed);
    return typed;
  }

  /** Types into the fields of an item; the page may end at any moment. */
  async #type(tab: Tab): Promise<void> {
    const { page, browser } = tab;
    const removes = this.#dice.chance(8);
    const typed = this.#newTyped(tab, removes ? `removed ${this.#marks + 1}` : undefined);
    if (this.#dice.chance(12)) tab.fuse = this.#dice.between(1, 14);
    let qty: number | null = null;
    if (!removes) {
      const value = Number(typed.mark);
      const [packs, loose] = [Math.floor(value / PACK), value % PACK];
      const draft = this.#dice.of<Record<string, string>>([{ base: `${value}` }, { pack: `${packs}`, base: `${loose}` }, { base: `${packs}*${PACK}+${loose}` }]);
      const item = { id: typed.itemId, name: '', uomCode: 'pc', packs: [{ uomId: 'pack', code: 'pack', factor: PACK }] };
      qty = page.read(item, draft);
      if (qty !== value) this.#truth.wrong(`${JSON.stringify(draft)} is read as ${qty}`);
    }
    void page.count(typed.itemId, qty, removes ? typed.mark : undefined).then((said) => {
      if (tab.alive) typed.said = said;
    });
    await this.#time.pass(60);
    this.#note(`${browser.name}: types ${typed.mark}: ${tab.alive ? typed.said : 'ends before'}`);
    // Its session may have ended meanwhile.
    if (!tab.alive || page.signedIn() !== typed.uid) return;
    if (typed.said === null) this.#truth.wrong(`${typed.mark} was neither saved nor refused`);
    const shown = page.row(typed.itemId);
    const isOrdered = !(browser.wasSetBack && browser.wasWiped);
    if (isOrdered && shown.qty !== qty) this.#truth.wrong(`${typed.mark} was typed, and ${shown.qty} is shown`);
    const unsaved = shown.state === 'unsaved';
    if (unsaved !== (typed.said === 'nowhere')) this.#truth.wrong(`${typed.mark} is ${typed.said} and shown as ${shown.state}`);
  }

  /** Counts in a freezer without a network, until the disk is full. */
  async #fillUp(tab: Tab): Promise<void> {
    const { browser } = tab;
    browser.online = false;
    for (let left = this.#dice.between(3, 7); left > 0 && tab.alive && tab.page.signedIn() !== null; left -= 1) {
      if (left === 2) browser.faults.disk = 'full';
      await this.#type(tab);
    }
    if (this.#dice.chance(50)) this.#switchNetwork(browser);
  }

  async #typeMany(tab: Tab): Promise<void> {
    const many = Array.from({ length: this.#dice.between(2, 5) }, () => this.#newTyped(tab));
    const values = many.map(({ itemId, mark }) => ({ itemId, qty: Number(mark) }));
    void tab.page.countMany(values).then((said: Said) => {
      if (tab.alive) for (const typed of many) typed.said = said;
    });
    await this.#time.pass(60);
  }

  /** Often right after the last number. */
  async #finish(tab: Tab): Promise<void> {
    if (this.#dice.chance(60)) await this.#type(tab);
    if (!tab.alive) return;
    const promised = this.#truth.asksToFinish(tab.browser);
    tab.page.finish(this.#scope).then(
      () => tab.alive && promised(),
      () => {},
    );
  }

  async #signIn(tab: Tab): Promise<void> {
    const { browser } = tab;
    if (!browser.online || !this.#serves) return;
    browser.cookie = await this.#dice.of(this.stage.users).signIn();
    void tab.page.startSession().catch(() => {});
    await this.#time.pass(5 * SECOND);
    this.#note(`${browser.name}: signs in as ${tab.page.signedIn()}`);
  }

  async #endSession({ name, cookie }: Browser): Promise<void> {
    if (!this.#serves) return;
    const headers = { 'x-larder': '1', 'sec-fetch-site': 'same-origin', origin: this.stage.server.url, cookie };
    await ask(this.stage.server.url, { method: 'POST', path: '/api/session/sign-out', headers, body: undefined });
    this.#note(`${name}: its session is deleted`);
  }

  #breakStorage({ name, faults }: Browser): void {
    faults.disk = this.#dice.weighted({ works: 5, full: 3, failing: 2, broken: 1 });
    faults.mirrorIsFull = !this.#wipes && this.#dice.chance(25);
    this.#note(`${name}: its disk ${faults.disk}, its mirror is ${faults.mirrorIsFull ? 'full' : 'fine'}`);
  }

  #setClock(browser: Browser): void {
    const by = this.#dice.of([-HOUR, HOUR, -3 * MINUTE, 24 * HOUR]);
    browser.skew += by;
    if (by < 0) browser.wasSetBack = true;
    this.#note(`${browser.name}: its clock is set by ${by / MINUTE} minutes`);
  }

  #wipe(browser: Browser): void {
    if (!this.#wipes) return;
    browser.wipe();
    this.#truth.lostDatabase(browser);
    this.#note(`${browser.name}: its database is wiped`);
  }

  #killBrowser(browser: Browser): void {
    browser.kill(!this.#wipes);
    if (!this.#wipes) this.#truth.lostTexts(browser);
    this.#note(`${browser.name}: the browser is killed`);
  }

  #switchNetwork(browser: Browser): void {
    browser.online = !browser.online;
    this.#note(`${browser.name}: is ${browser.online ? 'online' : 'offline'}`);
    if (browser.online) for (const { page } of browser.live) page.online();
  }

  async #switchServer(): Promise<void> {
    this.#note(this.#serves ? 'the server is killed' : 'the server starts again');
    if (this.#serves && this.#dice.chance(60)) {
      this.#network.killsNext = true;
      await this.#time.pass(30 * SECOND);
    }
    this.#network.killsNext = false;
    if (this.#serves) await this.stage.server.kill();
    else await this.stage.server.serve();
    this.#serves = !this.#serves;
  }

  /** Everything works again: open pages send what they have, and then new ones of every user. */
  async #settle(): Promise<void> {
    this.#note('everything works again');
    this.#serves = true;
    this.#network.faulty = false;
    for (const browser of this.#browsers) {
      Object.assign(browser.faults, { disk: 'works', mirrorIsFull: false });
      browser.online = true;
      for (const tab of browser.live) tab.fuse = null;
    }
    await this.#time.pass(3 * MINUTE);
    const rests: Rest[] = [];
    for (const browser of this.#browsers) {
      for (const tab of browser.live) {
        if (tab.page.signedIn() === null) await this.#signIn(tab);
      }
      await this.#time.pass(SENDS_WITHIN_MS);
      for (const { page } of browser.live) {
        const { waiting, stopped } = page.state();
        if (waiting > 0) this.#truth.wrong(`an open page of ${browser.name} does not send ${waiting} entries: ${stopped}`);
      }
      rests.push(await this.#reopen(browser));
    }
    this.#truth.check(await this.#events(), rests);
  }

  /** Opens a browser anew for every user, and looks at what is left on it. */
  async #reopen(browser: Browser): Promise<Rest> {
    const living = browser.live;
    let rest: Rest | null = null;
    for (const user of this.stage.users) {
      browser.cookie = await user.signIn();
      browser.storage.texts.delete('larder:leaving');
      const tab = browser.open();
      void tab.page.open(this.#scope);
      await this.#time.pass(SENDS_WITHIN_MS);
      const { waiting, aside } = tab.page.state();
      const stored = [...browser.storage.texts.keys()].filter((key) => key.includes('Pending:'));
      rest = { browser, waiting, stored, aside };
      tab.kill();
    }
    // Those that were open lived to the end.
    for (const tab of living) tab.fuse = null;
    if (!rest) throw new Error('a story needs users');
    return rest;
  }

  /** The server's history of all items, and what it holds. */
  async #events(): Promise<Event[]> {
    const { storeId, date } = this.stage;
    const query = `storeId=${storeId}&date=${date}&session=${SESSION}`;
    const events: Event[] = [];
    for (const { id } of this.stage.items) {
      const found = await this.stage.manager.call<{ events: Event[] }>('GET', `/api/stores/count/history?${query}&itemId=${id}`);
      events.push(...found.events.map((event) => ({ ...event, itemId: id })));
    }
    return events;
  }
}
