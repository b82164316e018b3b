// What the users typed and were told, independent of the console: at the end it is compared with what the server and
// the browsers have.

import type { Browser, Tab } from './browser.ts';
import type { SentEntry, Witness } from './network.ts';

/** Where the console said that a value was saved; null if its page ended before. */
export type Said = 'disk' | 'mirror' | 'nowhere' | null;

export interface Typed {
  /** No two typed values have the same: the quantity, or the note of a removed count. */
  mark: string;
  itemId: string;
  browser: Browser;
  tab: Tab;
  uid: string;
  said: Said;
  /** The copy that it was said to have was lost by a browser that was killed. */
  excused: boolean;
}

/** A save as the server's history has it. */
export interface Event {
  op: string;
  itemId: string;
  qty: number | null;
  note?: string;
  deviceId: string;
  sentBy: { uid: string };
  countedBy: { uid: string };
  outcome: string;
  stands: boolean;
}

/** What a fresh page shows of a browser at the end. */
export interface Rest {
  browser: Browser;
  waiting: number;
  stored: readonly string[];
  aside: readonly { kind: string; reason: string; marks: readonly string[] }[];
}

export const markOf = ({ qty, note }: Pick<SentEntry, 'qty' | 'note'>) => (qty === null ? (note ?? '') : String(qty));

export class Truth implements Witness {
  readonly typed: Typed[] = [];
  readonly faults: string[] = [];
  readonly #opOf = new Map<string, string>();
  readonly #markOf = new Map<string, string>();
  readonly #taken = new Set<string>();
  readonly #refused = new Set<string>();
  #finished = 0;
  /** Counts that the console said are finished, and how often the server had finished then. */
  promised: { browser: Browser; before: number }[] = [];

  wrong(what: string): void {
    this.faults.push(what);
  }

  sent(_: Browser, entries: readonly SentEntry[]): void {
    for (const entry of entries) {
      const mark = markOf(entry);
      const [op, known] = [this.#opOf.get(mark) ?? entry.op, this.#markOf.get(entry.op) ?? mark];
      if (op !== entry.op) this.wrong(`${mark} was sent as ${op} and as ${entry.op}`);
      if (known !== mark) this.wrong(`${entry.op} names ${known} and ${mark}`);
      this.#opOf.set(mark, op);
      this.#markOf.set(entry.op, known);
      if (!this.typed.some((typed) => typed.mark === mark)) this.wrong(`${mark} was sent, but nobody typed it`);
    }
  }

  taken(_: Browser, entries: readonly SentEntry[]): void {
    for (const entry of entries) this.#taken.add(markOf(entry));
  }

  refused(entries: readonly SentEntry[]): void {
    for (const entry of entries) this.#refused.add(markOf(entry));
  }

  finishing(browser: Browser): () => void {
    // What was typed after the user pressed Finish may still wait.
    const before = this.typed.slice(0, this.#typedBefore.get(browser) ?? 0);
    return () => {
      this.#finished += 1;
      const late = before.filter((typed) => typed.browser === browser && typed.said === 'disk' && !this.#isAnswered(typed.mark));
      for (const { mark } of late) this.wrong(`the count was finished before ${mark} was sent`);
    };
  }

  readonly #typedBefore = new Map<Browser, number>();

  #isAnswered(mark: string): boolean {
    return this.#taken.has(mark) || this.#refused.has(mark);
  }

  /** A user presses Finish. */
  asksToFinish(browser: Browser): () => void {
    this.#typedBefore.set(browser, this.typed.length);
    const before = this.#finished;
    return () => this.promised.push({ browser, before });
  }

  /** A browser was killed, and with it the last seconds of localStorage. */
  lostTexts(browser: Browser): void {
    for (const typed of this.typed) if (typed.browser === browser && typed.said === 'mirror') typed.excused = true;
  }

  /** A database was wiped: a request to finish has no second copy. */
  lostDatabase(browser: Browser): void {
    this.promised = this.promised.filter((promise) => promise.browser !== browser);
  }

  /** Whether the console has promised that the value arrives. */
  #mustArrive({ said, excused, tab }: Typed): boolean {
    return said === 'disk' || (said === 'mirror' && !excused) || (said === 'nowhere' && tab.alive);
  }

  /** Compares everything with the server's history and with what the browsers still have. */
  check(events: readonly Event[], rests: readonly Rest[]): void {
    const came = new Map<string, Event[]>();
    for (const event of events) came.set(markOf(event), [...(came.get(markOf(event)) ?? []), event]);
    for (const typed of this.typed) {
      const { mark, itemId, uid, browser } = typed;
      const [event, ...more] = came.get(mark) ?? [];
      came.delete(mark);
      if (more.length > 0) this.wrong(`${mark} was applied ${more.length + 1} times`);
      if (event && event.itemId !== itemId) this.wrong(`${mark} was typed for ${itemId} and is of ${event.itemId}`);
      if (event && event.countedBy.uid !== uid) this.wrong(`${mark} was typed by ${uid} and is of ${event.countedBy.uid}`);
      const shown = rests.some((rest) => rest.browser === browser && rest.aside.some(({ marks }) => marks.includes(mark)));
      const mayBeAside = shown && this.#refused.has(mark);
      if (!event && !mayBeAside && this.#mustArrive(typed)) this.wrong(`${mark} was saved (${typed.said}) and is lost`);
    }
    for (const mark of came.keys()) this.wrong(`the server has ${mark}, which nobody typed`);
    for (const rest of rests) this.#checkRest(rest);
    this.#checkLast(events);
    for (const { browser, before } of this.promised) {
      if (this.#finished <= before) this.wrong(`${browser.name} said that the count is finished, and it never was`);
    }
  }

  #checkRest({ browser, waiting, stored, aside }: Rest): void {
    if (waiting > 0) this.wrong(`${waiting} entries still wait on ${browser.name}`);
    if (stored.length > 0) this.wrong(`${browser.name} still stores ${stored.join(', ')}`);
    for (const { kind, reason, marks } of aside) {
      if (!reason) this.wrong(`${marks.join()} is aside on ${browser.name} without a reason`);
      const unjust = kind === 'unreadable' || (kind === 'rejected' && marks.some((mark) => !this.#refused.has(mark)));
      if (unjust) this.wrong(`${marks.join()} is aside on ${browser.name} as ${kind}: ${reason}`);
    }
  }

  /** Of what one device sent for one user, an earlier value of an item never stands over a later one. */
  #checkLast(events: readonly Event[]): void {
    const order = new Map(this.typed.map(({ mark }, i) => [mark, i]));
    const placeOf = (event: Event) => order.get(markOf(event)) ?? -1;
    for (const standing of events.filter(({ stands }) => stands)) {
      const later = events.find(
        (event) =>
          event.itemId === standing.itemId &&
          event.deviceId === standing.deviceId &&
          event.sentBy.uid === standing.sentBy.uid &&
          event.outcome !== 'held' &&
          placeOf(event) > placeOf(standing),
      );
      if (later) this.wrong(`${markOf(standing)} stands although the same device counted ${markOf(later)} later`);
    }
  }
}
