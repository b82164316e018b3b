import { describe, expect, it, vi } from 'vitest';
import { Problem } from '#/api/problem';
import { answered } from '#/documents/beyond';
import { Outbox } from '#/offline/outbox';
import { MemoryDisk, MemoryMirror } from '#/offline/testing';
import { type ChainPorts, sendRecord } from './chain';
import { branchQueue, questionOf } from './queue';
import type { BranchRecord, Progress } from './types';

const record = (op: string, more: Partial<BranchRecord> = {}): BranchRecord => ({
  v: 1,
  op,
  uid: 'u1',
  storeId: 's1',
  kind: 'receive',
  title: 'DL-1',
  at: '2026-11-24T08:00:00.000Z',
  base: '/api/stores/receive',
  body: {
    sourceId: 'd1',
    receivedAt: '2026-11-24T07:40:00.000Z',
    lines: [{ sourceLineId: 'l1', received: 1 }],
  },
  draftId: null,
  step: 'post',
  photos: ['p1'],
  lineNames: ['Rice'],
  subject: 'd1',
  form: {},
  ...more,
});

interface Document {
  id: string;
  revision: number;
  status: string;
  steps: { step: string; by: { uid: string } }[];
  body: unknown;
}

/** Answers like the server: keys are remembered with their body but for its `sentAt`, a wrong step or revision is 409. */
class FakeServer {
  readonly documents = new Map<string, Document>();
  readonly photos: string[] = [];
  readonly #answers = new Map<string, { body: string; answer: unknown }>();
  posted = 0;
  taken: unknown = null;
  refuse: Problem | null = null;

  handle(
    method: string,
    path: string,
    json: unknown,
    key?: string,
    query?: Record<string, unknown>,
  ) {
    const { sentAt: _, ...same } = (json ?? {}) as Record<string, unknown>;
    const body = `${method} ${path} ${JSON.stringify(same)}`;
    const before = key ? this.#answers.get(key) : undefined;
    if (before) {
      if (before.body !== body) throw new Problem(422, 'keyReused', 'This key was used.');
      return structuredClone(before.answer);
    }
    const answer = this.#answer(method, path, json as Record<string, unknown>, query);
    if (key) this.#answers.set(key, { body, answer: structuredClone(answer) });
    return structuredClone(answer);
  }

  #answer(
    method: string,
    path: string,
    json: Record<string, unknown>,
    query = {} as Record<string, unknown>,
  ) {
    if (path === '/api/stores/photos') {
      if (!this.photos.includes(String(query.id))) this.photos.push(String(query.id));
      return { id: query.id };
    }
    const [, id, step] = /^\/api\/stores\/receive(?:\/([^/]+))?(?:\/([^/]+))?$/.exec(path) ?? [];
    if (!id) return this.make(json);
    const found = this.documents.get(id);
    if (!found) throw new Problem(404, 'notFound', 'Not found.');
    if (method === 'GET') return found;
    if (json.revision !== found.revision || found.status !== 'draft')
      throw new Problem(409, found.status === 'draft' ? 'stale' : 'wrongState', 'Not now.');
    if (step === 'post' && this.refuse) throw this.refuse;
    found.revision += 1;
    if (method === 'PATCH') found.body = json;
    else if (step === 'cancel') found.status = 'cancelled';
    else {
      this.posted += 1;
      this.taken = json;
      found.status = 'posted';
      found.steps.push({ step: String(step), by: { uid: 'u1' } });
    }
    return found;
  }

  make(body: unknown): Document {
    const id = `r${this.documents.size + 1}`;
    const made = { id, revision: 1, status: 'draft', steps: [], body };
    this.documents.set(id, made);
    return made;
  }

  get drafts(): number {
    return [...this.documents.values()].filter(({ status }) => status === 'draft').length;
  }
}

/** A device whose network loses requests and answers as `fate` decides. */
function device(server: FakeServer, fate: () => 'ok' | 'lost' | 'answerLost' = () => 'ok') {
  const progress = new Map<string, Progress>();
  const ports: ChainPorts = {
    async request(method, path, { json, retryKey, query } = {}) {
      const what = fate();
      if (what === 'lost') throw Problem.offline();
      const answer = server.handle(method, path, json, retryKey, query);
      if (what === 'answerLost') throw Problem.offline();
      return answer;
    },
    progress: async (op) => progress.get(op) ?? null,
    async setProgress(op, now) {
      if (now) progress.set(op, now);
      else progress.delete(op);
    },
    photo: async () => new Blob(['x']),
  };
  return { ports, progress };
}

/** A small seeded generator, so that a failure can be reproduced. */
function chance(seed: number) {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

describe('sending a document', () => {
  it('sends photos, creates it and takes its step', async () => {
    const server = new FakeServer();
    const answer = await sendRecord(record('a'), device(server).ports);
    expect(answer).toMatchObject({ op: 'a', outcome: 'applied' });
    expect(server.photos).toEqual(['p1']);
    expect([...server.documents.values()]).toMatchObject([{ status: 'posted' }]);
  });

  it('says with every try what the clock of the device shows then', async () => {
    vi.useFakeTimers({ toFake: ['Date'], now: new Date('2026-11-24T08:05:00Z') });
    const server = new FakeServer();
    let lost = true;
    const { ports } = device(server, () => (lost ? 'answerLost' : 'ok'));
    const one = record('a', {
      photos: [],
      stepBody: { happenedAt: '2026-11-24T07:50:00.000Z' },
    });
    await expect(sendRecord(one, ports)).rejects.toMatchObject({ status: 0 });
    const bodies = () => [...server.documents.values()].map(({ body }) => body);
    expect(bodies()).toMatchObject([{ sentAt: '2026-11-24T08:05:00.000Z' }]);
    lost = false;
    vi.setSystemTime('2026-11-24T11:00:00Z');
    expect(await sendRecord(one, ports)).toMatchObject({ outcome: 'applied' });
    expect(server.documents.size).toBe(1);
    expect(server.taken).toMatchObject({
      happenedAt: '2026-11-24T07:50:00.000Z',
      sentAt: '2026-11-24T11:00:00.000Z',
    });
    // The clock was set back by hours since the goods came: then they came just now.
    vi.setSystemTime('2026-11-24T02:00:00Z');
    await sendRecord(record('b', { photos: [] }), ports);
    expect(bodies()[1]).toMatchObject({ sentAt: '2026-11-24T07:40:00.000Z' });
    // A body without a time has none to correct.
    await sendRecord(record('c', { photos: [], body: { sourceId: 'd1' } }), ports);
    expect(bodies()[2]).toEqual({ sourceId: 'd1' });
    vi.useRealTimers();
  });

  it('stays a draft if its user may not post', async () => {
    const server = new FakeServer();
    await sendRecord(record('a', { step: null }), device(server).ports);
    expect(server.drafts).toBe(1);
  });

  it('is created and posted once, whatever the network loses', async () => {
    for (let seed = 1; seed <= 500; seed += 1) {
      const random = chance(seed);
      const server = new FakeServer();
      const draft = seed % 3 === 0 ? server.make({}) : null;
      const { ports, progress } = device(server, () => {
        const drawn = random();
        return drawn < 0.3 ? 'lost' : drawn < 0.6 ? 'answerLost' : 'ok';
      });
      const one = record('a', { draftId: draft?.id ?? null });
      let answer = null;
      for (let tries = 0; tries < 400 && !answer; tries += 1) {
        answer = await sendRecord(one, ports).catch((error: unknown) => {
          expect(Problem.of(error).status).toBe(0);
          return null;
        });
        // The device may lose power before the answer arrives, and then sends it again.
        if (answer && random() < 0.3) answer = null;
        // Its stored progress may also be older than the request in flight.
        if (!answer && !draft && random() < 0.1) progress.clear();
      }
      expect(answer, `seed ${seed}`).toMatchObject({ outcome: 'applied' });
      expect([server.posted, server.documents.size, server.drafts], `seed ${seed}`).toEqual([
        1, 1, 0,
      ]);
    }
  });

  it('is set aside with the line’s name when the server refuses it', async () => {
    const server = new FakeServer();
    server.refuse = new Problem(422, 'invalid', 'Look again.', [
      { field: 'lines.0.received', message: 'Over by 2; tolerance is 0%.' },
    ]);
    const { ports, progress } = device(server);
    const answer = await sendRecord(record('a'), ports);
    expect(answer).toEqual({
      op: 'a',
      outcome: 'rejected',
      reason: 'Rice: Over by 2; tolerance is 0%.',
    });
    // The next try knows what is already at the server.
    expect(progress.get('a')?.id).toBe('r1');
  });

  it('is held with the question when more is taken than is expected, and goes out with the answer', async () => {
    const server = new FakeServer();
    const line = {
      field: 'lines.0.picked',
      name: 'Rice',
      asked: 5,
      askedUnit: 'sack',
      expected: 2,
    };
    const words = 'Larder expects 2 kg here. Send 5 sack anyway?';
    const fields = [{ field: 'lines.0.picked', message: words }];
    server.refuse = new Problem(409, 'moreThanExpected', words, fields, null, { lines: [line] });
    const { ports } = device(server);
    const answer = await sendRecord(record('a'), ports);
    const question = { question: words, lines: [line] };
    expect(answer).toEqual({ op: 'a', outcome: 'held', reason: `Rice: ${words}`, question });
    server.refuse = null;
    const said = record('a', { stepBody: answered({}, 'Found it') });
    expect(await sendRecord(said, ports)).toMatchObject({ outcome: 'applied' });
    expect([server.posted, server.documents.size]).toEqual([1, 1]);
    expect(server.taken).toMatchObject({ anyway: true, reason: 'Found it' });
  });

  it('is held with the question when a recalled lot is among the goods', async () => {
    const server = new FakeServer();
    const words = 'Lot L-1 of Rice is recalled. Reject it, or take it in and put it aside?';
    const fields = [{ field: 'lines.0.received', message: words }];
    server.refuse = new Problem(409, 'recalledArrives', words, fields);
    const answer = await sendRecord(record('a'), device(server).ports);
    expect(answer).toMatchObject({
      outcome: 'held',
      question: { question: words, lines: [], recalled: true },
    });
  });

  it('replaces its draft when another user received part of the delivery meanwhile', async () => {
    const server = new FakeServer();
    server.refuse = new Problem(409, 'takenInMeanwhile', 'Part of it was taken in meanwhile.');
    const { ports, progress } = device(server);
    const answer = await sendRecord(record('a'), ports);
    expect(answer.outcome).toBe('rejected');
    expect(server.drafts).toBe(0);
    expect(progress.size).toBe(0);
  });

  it('is not taken for submitted when it was taken back since', async () => {
    const order = record('a', { base: '/api/stores/orders', step: 'submit', photos: [] });
    const send = (can: string[]) =>
      sendRecord(order, {
        request: async (method) => {
          if (method === 'POST') throw new Problem(409, 'stale', 'It was changed.');
          const steps = [{ step: 'submit', by: { uid: 'u1' } }];
          return { id: 'o1', revision: 4, status: 'draft', steps, can };
        },
        progress: async () => ({ id: 'o1', revision: 2 }),
        setProgress: async () => {},
        photo: async () => null,
      });
    expect(await send(['submit', 'cancel'])).toMatchObject({ outcome: 'rejected' });
    expect(await send(['approve'])).toMatchObject({ outcome: 'applied' });
  });

  it('is resent after a lost sign-in, a busy server and no network', async () => {
    for (const [status, code] of [
      [401, 'unauthenticated'],
      [403, 'reauthenticate'],
      [423, 'locked'],
      [429, 'tooMany'],
      [503, 'busy'],
      [0, 'offline'],
    ] as const) {
      const server = new FakeServer();
      server.refuse = new Problem(status, code, 'Later.');
      await expect(sendRecord(record('a'), device(server).ports)).rejects.toMatchObject({ status });
    }
  });
});

describe('the document queue', () => {
  it('keeps refused documents with all input, and continues with the others', async () => {
    const [disk, mirror] = [new MemoryDisk(), new MemoryMirror()];
    const sent: string[] = [];
    const queue = {
      ...branchQueue,
      sendable: undefined,
      send: async (one: BranchRecord) => {
        sent.push(one.op);
        const refused = one.op === 'a';
        return [
          {
            op: one.op,
            outcome: refused ? ('rejected' as const) : ('applied' as const),
            reason: 'No.',
          },
        ];
      },
    };
    const outbox = new Outbox<BranchRecord>(queue, { disk, mirror });
    await outbox.open();
    await outbox.save(1, () => record('a', { form: { typed: 'everything' } }));
    await outbox.save(1, () => record('b'));
    await outbox.flush();
    expect(sent).toEqual(['a', 'b']);
    expect(outbox.snapshot().records).toEqual([]);
    expect(outbox.aside).toBe(1);
    // Another start of the app finds it.
    const again = new Outbox<BranchRecord>(queue, { disk, mirror });
    await again.open();
    expect(again.snapshot().aside).toMatchObject([
      { reason: 'No.', record: { op: 'a', form: { typed: 'everything' } } },
    ]);
  });

  it('keeps a question with its document over a restart', async () => {
    const [disk, mirror] = [new MemoryDisk(), new MemoryMirror()];
    const question = { question: 'Send 5 sack anyway?', lines: [] };
    const queue = {
      ...branchQueue,
      sendable: undefined,
      send: async (one: BranchRecord) => {
        const held = { op: one.op, outcome: 'held' as const, reason: 'Rice: …', question };
        return [held];
      },
    };
    const outbox = new Outbox<BranchRecord>(queue, { disk, mirror });
    await outbox.open();
    await outbox.save(1, () => record('a', { form: { typed: 'everything' } }));
    await outbox.flush();
    const again = new Outbox<BranchRecord>(queue, { disk, mirror });
    await again.open();
    const [item] = again.snapshot().aside;
    expect(item).toMatchObject({
      kind: 'held',
      question,
      record: { form: { typed: 'everything' } },
    });
    expect(item && questionOf(item)).toEqual(question);
  });

  it("leaves another user's records for them to send", async () => {
    const [disk, mirror] = [new MemoryDisk(), new MemoryMirror()];
    const sent: string[] = [];
    const queue = {
      ...branchQueue,
      sendable: ({ uid }: BranchRecord) => uid === 'u1',
      send: async (one: BranchRecord) => {
        sent.push(one.op);
        return [{ op: one.op, outcome: 'applied' as const }];
      },
    };
    const outbox = new Outbox<BranchRecord>(queue, { disk, mirror });
    await outbox.open();
    await outbox.save(1, () => record('theirs', { uid: 'u2' }));
    await outbox.save(1, () => record('mine'));
    await outbox.flush();
    expect(sent).toEqual(['mine']);
    expect(outbox.waiting).toBe(1);
  });

  it('keeps one that fails at the server, and sends those after it', async () => {
    const [disk, mirror] = [new MemoryDisk(), new MemoryMirror()];
    const queue = {
      ...branchQueue,
      sendable: undefined,
      send: async (one: BranchRecord) => {
        if (one.op === 'a') throw new Problem(500, 'internal', 'Something went wrong.');
        return [{ op: one.op, outcome: 'applied' as const }];
      },
    };
    const outbox = new Outbox<BranchRecord>(queue, { disk, mirror });
    await outbox.open();
    await outbox.save(1, () => record('a'));
    await outbox.save(1, () => record('b'));
    await outbox.flush();
    expect(outbox.snapshot().records.map((one) => one.record.op)).toEqual(['a']);
    expect(outbox.snapshot().stopped).toBe('busy');
  });

  it('reads only its own records', () => {
    expect(branchQueue.read(record('a'))).toEqual(record('a'));
    for (const wrong of [
      null,
      'text',
      {},
      { ...record('a'), op: '' },
      { ...record('a'), body: 1 },
    ]) {
      expect(branchQueue.read(wrong)).toBeNull();
    }
  });
});
