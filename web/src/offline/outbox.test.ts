import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { Problem } from '#/api/problem';
import { Outbox } from './outbox';
import { MemoryDisk, MemoryMirror } from './testing';
import type { Answer, WriteQueue } from './writeQueue';

interface Note {
  who: string;
  entries: { op: string; text: string }[];
}

type Reply = Answer[] | Problem | ((record: Note) => Answer[] | Problem);

/** A server with these replies in turn, then «applied». */
function world(...replies: Reply[]) {
  const disk = new MemoryDisk();
  const mirror = new MemoryMirror();
  const sent: string[][] = [];
  const queue: WriteQueue<Note> = {
    name: 'notes',
    pendingKey: 'notesPending:',
    quarantineKey: 'notesQuarantine:',
    read: (value) =>
      typeof value === 'object' && value !== null && 'entries' in value ? (value as Note) : null,
    ops: ({ entries }) => entries.map(({ op }) => op),
    pick: (note, ops) => ({ ...note, entries: note.entries.filter(({ op }) => ops.has(op)) }),
    groupKey: ({ who }) => who,
    join: (notes) => ({
      who: notes[0]?.who ?? '',
      entries: notes.flatMap(({ entries }) => entries),
    }),
    async send(note) {
      sent.push(note.entries.map(({ op }) => op));
      const reply = replies.shift();
      const answer = typeof reply === 'function' ? reply(note) : reply;
      if (answer instanceof Problem) throw answer;
      return answer ?? all('applied')(note);
    },
  };
  const open = () => new Outbox(queue, { disk, mirror });
  const write = (outbox: Outbox<Note>, text: string, n = 1, who = 'ana') =>
    outbox.save(n, (device, first) => ({
      who,
      entries: Array.from({ length: n }, (_, i) => ({ op: `${device}:${first + i}`, text })),
    }));
  return { disk, mirror, sent, open, write, replies };
}

const all =
  (outcome: Answer['outcome']) =>
  (note: Note): Answer[] =>
    note.entries.map(({ op }) => ({ op, outcome, reason: `because ${outcome}` }));
const fails = (status: number) => new Problem(status, 'x', 'no');
const kept = (disk: MemoryDisk, mirror: MemoryMirror) => [
  disk.stores.pending.size,
  mirror.all('notesPending:').length,
];

describe('an outbox', () => {
  it('writes to the disk, then to the mirror, and numbers without a gap', async () => {
    const { disk, mirror, open, write } = world();
    const outbox = open();
    await write(outbox, 'a', 2);
    const saved = await write(outbox, 'b');
    expect(saved.place).toBe('disk');
    expect(saved.record.entries[0]?.op).toBe('device:3');
    expect(kept(disk, mirror)).toEqual([2, 2]);
  });

  it('shows that it is sending only when the answer takes a while', async () => {
    vi.useFakeTimers();
    try {
      const { open, write, disk } = world();
      const outbox = open();
      const seen: boolean[] = [];
      // A slow disk or another tab must not look like a slow server.
      const keys = disk.keys.bind(disk);
      disk.keys = (store) => new Promise((done) => setTimeout(() => done(keys(store)), 1_000));
      outbox.subscribe(() => seen.push(outbox.snapshot().sending));
      await write(outbox, 'soon');
      const soon = outbox.flush();
      await vi.advanceTimersByTimeAsync(1_000);
      await soon;
      expect(seen).not.toContain(true);
      let answer = () => {};
      const answered = new Promise<void>((done) => {
        answer = done;
      });
      const { send } = outbox.queue;
      outbox.queue.send = async (note) => {
        await answered;
        return send(note);
      };
      await write(outbox, 'late');
      const sent = outbox.flush();
      await vi.advanceTimersByTimeAsync(1_399);
      expect(outbox.snapshot().sending).toBe(false);
      await vi.advanceTimersByTimeAsync(1);
      expect(seen.at(-1)).toBe(true);
      answer();
      await sent;
      expect(seen.at(-1)).toBe(false);
      expect(disk.stores.pending.size).toBe(0);
    } finally {
      vi.useRealTimers();
    }
  });

  it('removes a record only when each of its entries is answered', async () => {
    const { disk, mirror, sent, open, write, replies } = world();
    const outbox = open();
    await write(outbox, 'a', 2);
    replies.push((note) => all('applied')(note).slice(0, 1), fails(0));
    await outbox.flush();
    expect(kept(disk, mirror)).toEqual([1, 1]);
    expect(outbox.snapshot().stopped).toBe('offline');
    await outbox.flush();
    // An entry answered before the page was closed is sent again; the server recognises it.
    expect(sent).toEqual([['device:1', 'device:2'], ['device:2'], ['device:1', 'device:2']]);
    expect(kept(disk, mirror)).toEqual([0, 0]);
  });

  it.each([
    [0, 'offline'],
    [401, 'signIn'],
    [403, 'refused'],
    [404, 'busy'],
    [423, 'refused'],
    [429, 'busy'],
    [500, 'busy'],
    [503, 'busy'],
  ])('keeps everything on %i', async (status, stopped) => {
    const { disk, mirror, open, write } = world(fails(status));
    const outbox = open();
    await write(outbox, 'a');
    await outbox.flush();
    expect(outbox.snapshot().stopped).toBe(stopped);
    expect(kept(disk, mirror)).toEqual([1, 1]);
    await outbox.flush();
    expect(kept(disk, mirror)).toEqual([0, 0]);
  });

  it('splits what is too large, down to one entry, then continues with the rest', async () => {
    const { sent, open, write, replies } = world();
    const outbox = open();
    await write(outbox, 'a', 4);
    replies.push(fails(413), fails(413));
    await outbox.flush();
    expect(sent.map(({ length }) => length)).toEqual([4, 2, 1, 2, 1]);
    expect(outbox.waiting).toBe(0);
  });

  it('sets aside what is refused even alone, with the reason', async () => {
    const { disk, open, write, replies } = world();
    const outbox = open();
    await write(outbox, 'a');
    await write(outbox, 'b');
    replies.push(fails(422), fails(422));
    await outbox.flush();
    expect(outbox.waiting).toBe(0);
    expect(outbox.snapshot().aside).toMatchObject([{ kind: 'rejected', reason: 'no' }]);
    expect(disk.stores.aside.size).toBe(1);
  });

  it('shows held entries until they are decided', async () => {
    const { open, write, replies } = world(all('held'));
    const outbox = open();
    await write(outbox, 'a');
    const { held, sent } = await outbox.flush();
    expect([held, sent]).toEqual([1, 0]);
    const again = open();
    await again.open();
    const [item] = again.snapshot().aside;
    expect(item).toMatchObject({ kind: 'held', reason: 'because held' });
    replies.push(all('held'));
    await again.recheck(item?.id ?? '');
    expect(again.snapshot().aside).toHaveLength(1);
    await again.recheck(item?.id ?? '');
    expect(again.snapshot().aside).toEqual([]);
  });

  it('keeps held entries if the disk cannot take them', async () => {
    const { disk, mirror, open, write, replies } = world();
    const outbox = open();
    await write(outbox, 'a');
    replies.push(() => {
      disk.fault = new DOMException('', 'QuotaExceededError');
      mirror.full = true;
      return [{ op: 'device:1', outcome: 'held' }];
    });
    await outbox.flush();
    expect(disk.stores.pending.size).toBe(1);
  });

  it('merges both stores at the start', async () => {
    const { disk, mirror, open, write } = world();
    const first = open();
    await write(first, 'on both');
    mirror.put('notesPending:m', { who: 'ana', entries: [{ op: 'tab:1', text: 'mirror only' }] });
    const [key] = disk.stores.pending.keys();
    mirror.remove(`notesPending:${key}`);
    const again = open();
    await again.open();
    expect(again.waiting).toBe(2);
    expect(disk.stores.pending.size).toBe(2);
  });

  it('keeps unreadable records as evidence', async () => {
    const { disk, mirror, sent, open } = world();
    mirror.put('notesPending:x', 'half a rec');
    await disk.put('pending', 'y', { lane: 'notes', record: { nothing: true } });
    await disk.put('pending', 'z', { lane: 'another', record: 1 });
    const outbox = open();
    await outbox.open();
    await outbox.flush();
    expect(sent).toEqual([]);
    expect(kept(disk, mirror)).toEqual([1, 0]);
    expect(mirror.all('notesQuarantine:')).toHaveLength(2);
    expect(outbox.snapshot().aside.map(({ raw }) => raw)).toEqual(
      expect.arrayContaining(['half a rec', { nothing: true }]),
    );
  });

  it('reports that no store took a record, keeps it in memory, and still sends it', async () => {
    const { disk, mirror, sent, open, write } = world();
    const outbox = open();
    disk.fault = new DOMException('', 'QuotaExceededError');
    expect((await write(outbox, 'a')).place).toBe('mirror');
    mirror.full = true;
    expect((await write(outbox, 'b')).place).toBe('nowhere');
    expect(outbox.snapshot().unsaved.size).toBe(1);
    expect(JSON.stringify(outbox.exportAll())).toContain('"b"');
    await outbox.flush();
    expect(sent).toHaveLength(1);
    expect(outbox.waiting).toBe(0);
    // Numbers given out without the disk carry another device id.
    expect(sent[0]?.every((op) => !op.startsWith('device:'))).toBe(true);
  });

  it('compacts records without changing an entry', async () => {
    const { disk, mirror, sent, open, write } = world();
    const outbox = open();
    for (const who of ['ana', 'ana', 'ben', 'ana']) await write(outbox, who, 1, who);
    await outbox.compact();
    expect(kept(disk, mirror)).toEqual([2, 2]);
    expect(outbox.waiting).toBe(4);
    await outbox.flush();
    expect(sent.flat().sort()).toEqual(['device:1', 'device:2', 'device:3', 'device:4']);
    expect(sent).toHaveLength(2);
  });

  it('writes at once when the page is closed', async () => {
    const { mirror, open } = world();
    open().saveNow(1, (device, n) => ({
      who: 'ana',
      entries: [{ op: `${device}:${n}`, text: '' }],
    }));
    expect(mirror.all('notesPending:')).toHaveLength(1);
  });

  it('reads no record twice, and follows what another tab adds and sends', async () => {
    const { disk, open, write } = world();
    const [one, other] = [open(), open()];
    for (let i = 0; i < 30; i += 1) await write(one, String(i));
    await other.open();
    expect(other.waiting).toBe(30);
    const read = vi.spyOn(disk, 'get');
    const readAll = vi.spyOn(disk, 'all');
    await write(one, 'one more');
    await other.open();
    expect(other.waiting).toBe(31);
    expect(read).toHaveBeenCalledTimes(1);
    expect(readAll).not.toHaveBeenCalledWith('pending');
    await one.flush();
    await other.open();
    expect(other.waiting).toBe(0);
  });

  it('reports what was sent', async () => {
    const { open, write } = world(all('superseded'));
    const outbox = open();
    const told: unknown[] = [];
    window.addEventListener('notes:synced', (event) => told.push((event as CustomEvent).detail));
    await write(outbox, 'a', 2);
    await outbox.flush();
    await outbox.flush();
    expect(told).toEqual([{ sent: 2, held: 0, superseded: 2 }]);
  });
});

describe('an outbox during typing', () => {
  // Outboxes of earlier tests share the channel: a late message of theirs would count here.
  beforeEach(() =>
    vi.stubGlobal(
      'BroadcastChannel',
      class {
        addEventListener() {}
        postMessage() {}
      },
    ),
  );
  afterEach(() => {
    vi.unstubAllGlobals();
    vi.useRealTimers();
  });

  /** Types a digit every 100 ms for `ms`. */
  async function type(ms: number): Promise<void> {
    for (let gone = 0; gone < ms; gone += 100) {
      window.dispatchEvent(new KeyboardEvent('keydown', { key: '7' }));
      await vi.advanceTimersByTimeAsync(100);
    }
  }

  it('sends in a pause', async () => {
    vi.useFakeTimers();
    const { sent, open, write } = world();
    const outbox = open();
    await write(outbox, 'a');
    await type(1_000);
    expect(sent).toEqual([]);
    await vi.advanceTimersByTimeAsync(1_000);
    expect(sent).toHaveLength(1);
  });

  it('sends with the save after two seconds, and not between two digits', async () => {
    vi.useFakeTimers();
    const { sent, open, write } = world();
    const outbox = open();
    await write(outbox, 'a');
    await type(1_500);
    await write(outbox, 'b');
    await type(1_500);
    expect(sent).toEqual([]);
    await write(outbox, 'c');
    await vi.advanceTimersByTimeAsync(49);
    expect(sent).toEqual([]);
    await vi.advanceTimersByTimeAsync(1);
    expect(sent).toEqual([['device:1', 'device:2', 'device:3']]);
    // The same again.
    await write(outbox, 'd');
    await type(1_900);
    expect(sent).toHaveLength(1);
  });

  it('reports answers with the next save or in a pause', async () => {
    vi.useFakeTimers();
    const { open, write } = world();
    const outbox = open();
    let told = 0;
    const waits = () => outbox.snapshot().records.length;
    await write(outbox, 'a');
    outbox.subscribe(() => {
      told += 1;
    });
    expect(waits()).toBe(1);
    await type(5_500);
    expect([outbox.waiting, waits(), told]).toEqual([0, 1, 0]);
    await write(outbox, 'b');
    expect([waits(), told]).toEqual([1, 1]);
    await type(5_500);
    await vi.advanceTimersByTimeAsync(1_000);
    expect([waits(), told]).toEqual([0, 2]);
  });

  it('counts waiting records before it reports them', async () => {
    vi.useFakeTimers();
    const { open, write } = world();
    const outbox = open();
    const waits = () => outbox.holds(({ who }) => who === 'ana');
    await write(outbox, 'a');
    expect([await waits(), await outbox.holds(({ who }) => who === 'ben')]).toEqual([true, false]);
    outbox.snapshot();
    await type(100);
    await outbox.flush();
    expect([await waits(), outbox.snapshot().records.length]).toEqual([false, 1]);
    // A record written by another tab waits, too.
    const other = open();
    await write(outbox, 'b');
    expect(await other.holds(() => true)).toBe(true);
  });

  it('sends after five seconds in any case', async () => {
    vi.useFakeTimers();
    const { sent, open, write } = world();
    const outbox = open();
    await write(outbox, 'a');
    await type(4_700);
    expect(sent).toEqual([]);
    await type(400);
    expect(sent).toHaveLength(1);
  });
});

describe('an outbox without a network', () => {
  const says = (online: boolean) => vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(online);
  afterEach(() => {
    vi.useRealTimers();
    vi.restoreAllMocks();
  });

  /** Advances the time and runs what is due. */
  const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms);

  it('waits for the network instead of trying at every save', async () => {
    vi.useFakeTimers();
    says(false);
    const { sent, open, write } = world();
    const outbox = open();
    const stop = outbox.start();
    await pass(1);
    for (let i = 0; i < 20; i += 1) {
      await write(outbox, String(i));
      await pass(500);
    }
    expect(sent).toEqual([]);
    says(true);
    window.dispatchEvent(new Event('online'));
    await pass(1);
    expect(sent).toHaveLength(1);
    expect(outbox.waiting).toBe(0);
    stop();
  });

  it('still tries now and then: the browser may be wrong', async () => {
    vi.useFakeTimers();
    says(false);
    const { sent, open, write } = world();
    const outbox = open();
    const stop = outbox.start();
    await pass(1);
    await write(outbox, 'a');
    await pass(29_000);
    expect(sent).toEqual([]);
    await pass(2_000);
    expect(sent).toHaveLength(1);
    stop();
  });

  it('waits after a failed try, whatever the browser says about the network', async () => {
    vi.useFakeTimers();
    const none = Array.from({ length: 9 }, () => fails(0));
    const { sent, open, write } = world(...none);
    const outbox = open();
    const stop = outbox.start();
    await pass(1);
    for (let i = 0; i < 20; i += 1) {
      await write(outbox, String(i));
      await pass(500);
    }
    expect(sent.length).toBeGreaterThan(0);
    expect(sent.length).toBeLessThan(4);
    stop();
  });
});
