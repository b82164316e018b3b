import { afterEach, describe, expect, it, vi } from 'vitest';
import { Outbox } from '#/offline/outbox';
import { MemoryDisk, MemoryMirror } from '#/offline/testing';
import { countApi } from './api';
import { DEFAULTS, dueCount, formatMinute, isInWindow } from './clock';
import { CountModel } from './countModel';
import { countQueue, readRecord } from './countQueue';
import { readDraft, type Unit, unitsOf } from './draft';
import { isOutlier } from './outliers';
import { groupByArea } from './rows';
import { syncStatusOf } from './SyncBadge';
import type { CountAnswer, CountRecord, Entry, Item, Scope, WarmUp } from './types';

/** A time on the stores' clock. */
const at = (time: string) => new Date(`${time}:00+08:00`);

describe('the due count', () => {
  it.each([
    ['2026-11-20T00:30', '2026-11-19', 'closing'],
    ['2026-11-20T01:59', '2026-11-19', 'closing'],
    ['2026-11-20T02:00', '2026-11-20', 'opening'],
    ['2026-11-20T13:59', '2026-11-20', 'opening'],
    ['2026-11-20T14:00', '2026-11-20', 'closing'],
  ])('at %s is that of %s, %s', (time, date, session) => {
    expect(dueCount(DEFAULTS, at(time))).toEqual({ date, session });
  });

  it('has no session if the time does not decide it', () => {
    expect(
      dueCount({ ...DEFAULTS, autoSessionByTime: false }, at('2026-11-20T08:00')).session,
    ).toBe('');
  });

  it('is inside its window or not, also after midnight', () => {
    const scope: Scope = { storeId: 's', date: '2026-11-19', session: 'closing' };
    expect(isInWindow(DEFAULTS, scope, at('2026-11-19T17:59'))).toBe(false);
    expect(isInWindow(DEFAULTS, scope, at('2026-11-19T18:00'))).toBe(true);
    expect(isInWindow(DEFAULTS, scope, at('2026-11-20T01:30'))).toBe(true);
    expect(isInWindow(DEFAULTS, scope, at('2026-11-20T02:30'))).toBe(false);
    expect(
      isInWindow({ ...DEFAULTS, enforceTimeWindow: false }, scope, at('2026-11-25T09:00')),
    ).toBe(true);
    expect(formatMinute(1560)).toBe('02:00');
  });
});

describe('typed quantities', () => {
  const item: Item = {
    id: 'i',
    name: 'Coconut milk',
    uomCode: 'pc',
    packs: [
      { uomId: 'tray', code: 'tray', factor: 6 },
      { uomId: 'case', code: 'case', factor: 24 },
      { uomId: 'pc', code: 'pc', factor: 1 },
    ],
  };
  const units = unitsOf(item);

  it('have a field for each pack, the largest first', () => {
    expect(units.map(({ code }) => code)).toEqual(['case', 'tray', 'pc']);
  });

  it.each([
    [{ base: '12*6+3' }, { kind: 'number', value: 75 }],
    [
      { case: '2', tray: '1+1', base: '3' },
      { kind: 'number', value: 63 },
    ],
    [{ base: '0' }, { kind: 'number', value: 0 }],
    [{ base: ' ' }, { kind: 'empty' }],
    [{ base: 'abc' }, { kind: 'invalid', message: '“abc” is not a number.' }],
    [{ base: '3-5' }, { kind: 'invalid', message: 'A count cannot be below zero.' }],
  ])('parse %o', (draft, reading) => {
    expect(readDraft(draft as Record<string, string>, units)).toEqual(reading);
  });

  it("are parsed by the server's setting of the unit, not by its code", () => {
    const [kilo] = unitsOf({ id: 'i', name: 'Flour', uomCode: 'kg', whole: true, packs: [] });
    const [tub] = unitsOf({ id: 'i', name: 'Ice', uomCode: 'tub', whole: false, packs: [] });
    const draft = { base: '1,250' };
    expect(readDraft(draft, [kilo as Unit])).toEqual({ kind: 'number', value: 1250 });
    expect(readDraft(draft, [tub as Unit]).kind).toBe('undecided');
  });
});

describe('a record', () => {
  const entry = { itemId: 'i', qty: 1, at: '', seq: 1, base: null, prev: null, op: 'd:1' };
  const record = { v: 1, uid: 'u', deviceId: 'd', storeId: 's', date: '2026-11-20', session: '' };

  it('is invalid without its store, its date or its entries', () => {
    expect(readRecord({ ...record, entries: [entry] })).not.toBeNull();
    for (const wrong of [
      { ...record, entries: [entry], storeId: '' },
      { ...record, entries: [entry], date: 'today' },
      { ...record, entries: [] },
      record,
      'text',
      null,
    ]) {
      expect(readRecord(wrong)).toBeNull();
    }
  });
});

describe('legacy records', () => {
  const left = (over: object = {}) => ({
    storeId: 's',
    date: '2026-11-20',
    entries: [
      { itemId: 'a', qty: 5 },
      { rootProductId: 'b', qty: '1,5' },
      { itemId: 'c', qty: 'many' },
      { itemId: 'd', qty: '' },
      { itemId: 'e' },
    ],
    session: 'opening',
    ...over,
  });
  const world = (...values: unknown[]) => {
    const [disk, mirror] = [new MemoryDisk(), new MemoryMirror()];
    for (const [i, value] of values.entries()) mirror.put(`storeCountPending:old_${i}`, value);
    const sent: CountRecord[] = [];
    const open = async () => {
      const send = async (record: CountRecord) => {
        sent.push(record);
        return record.entries.map(({ op }) => ({ op, outcome: 'applied' as const }));
      };
      const outbox = new Outbox({ ...countQueue, send }, { disk, mirror });
      await outbox.open();
      return outbox;
    };
    return { disk, mirror, sent, open };
  };

  it('are converted, shown to every user, and sent', async () => {
    const { sent, mirror, open } = world(left());
    const outbox = await open();
    const book = new CountModel(
      outbox,
      { storeId: 's', date: '2026-11-20', session: 'opening' },
      'u1',
    );
    expect(book.peek('a')).toMatchObject({ qty: 5, state: 'saved' });
    // Shown but not counted: not sent as zero.
    expect(book.peek('e')).toMatchObject({ counted: false, qty: null });
    await outbox.flush();
    expect(sent[0]?.entries.map(({ itemId, qty, at }) => [itemId, qty, at])).toEqual([
      ['a', 5, '2026-11-19T23:00:00.000Z'],
      ['b', 1.5, '2026-11-19T23:00:00.000Z'],
      ['c', 0, '2026-11-19T23:00:00.000Z'],
      ['d', null, '2026-11-19T23:00:00.000Z'],
    ]);
    expect(sent[0]).toMatchObject({ uid: '', storeId: 's', date: '2026-11-20' });
    expect([outbox.waiting, mirror.keys('storeCountPending:')]).toEqual([0, []]);
  });

  it('get the same ids however often they are read, and different ones for other counts', () => {
    const ops = (value: unknown) => readRecord(value)?.entries.map(({ op }) => op);
    expect(ops(left())).toEqual(ops(structuredClone(left())));
    const all = [left(), left({ session: null }), left({ date: '2026-11-21' })].flatMap(
      (one) => ops(one) ?? [],
    );
    expect(new Set(all).size).toBe(12);
    expect(all.every((op) => /^[\w-]{1,64}:[1-9]\d*$/.test(op))).toBe(true);
    // A record without a session counts the whole day.
    expect(readRecord(left({ session: undefined }))).toMatchObject({ session: '' });
  });

  it.each([
    ['a store', { storeId: undefined }],
    ['a date', { date: undefined }],
    ['a list of entries', { entries: undefined }],
    ['a list of entries', { entries: { a: 5 } }],
  ])('are discarded without %s, silently', async (_, over) => {
    const { sent, mirror, open } = world(left(over));
    const outbox = await open();
    await outbox.flush();
    expect(sent).toEqual([]);
    expect(mirror.keys('storeCountPending:')).toEqual([]);
    expect(syncStatusOf(outbox.snapshot(), 0)).toMatchObject({ kind: 'nothing' });
    expect(syncStatusOf(outbox.snapshot(), 3)).toMatchObject({ kind: 'sent' });
    expect(mirror.keys('storeCountQuarantine:')).toEqual(['storeCountQuarantine:old_0']);
  });
});

it('detects outliers by share, ignoring small differences', () => {
  expect([
    isOutlier(12, 120, 3),
    isOutlier(12, 14, 3),
    isOutlier(1, 4, 3),
    isOutlier(40, 0, 3),
  ]).toEqual([true, false, false, true]);
});

describe('a count', () => {
  const scope: Scope = { storeId: 's', date: '2026-11-20', session: 'opening' };
  const items: Item[] = [
    { id: 'b', name: 'Beef', storageArea: 'Freezer', sortOrder: 2, packs: [] },
    { id: 'a', name: 'Apples', storageArea: 'Cold', sortOrder: 1, packs: [] },
    { id: 'c', name: 'Cups', packs: [] },
  ];
  const settings = { ...DEFAULTS, storeId: 's', outlierFactor: 3, revision: 0 };
  const warm: WarmUp = {
    store: { id: 's', name: 'Store' },
    today: '2026-11-20',
    yesterday: '2026-11-19',
    countingDate: '2026-11-20',
    settings,
    mixes: [],
    items,
    previous: [
      { date: '2026-11-18', session: 'closing', itemId: 'a', qty: 5 },
      { date: '2026-11-19', session: 'closing', itemId: 'a', qty: 7 },
      { date: '2026-11-20', session: 'closing', itemId: 'a', qty: 9 },
    ],
    expectedOf: [
      { date: '2026-11-19', session: 'closing', items: { a: 8 } },
      { date: '2026-11-20', items: { a: 3 } },
      { date: '2026-11-20', session: 'opening', items: { a: 6 } },
      { date: '2026-11-20', session: 'closing', items: { a: 4 } },
    ],
    deliveries: [],
    entries: [],
  };
  const ben = { uid: 'u2', name: 'Ben', email: 'ben@larder.example' };
  const known = (itemId: string, qty: number, revision: number): Entry => ({
    id: itemId,
    storeId: 's',
    date: '2026-11-20',
    session: 'opening',
    itemId,
    qty,
    revision,
    op: `ben:${revision}`,
    deviceId: 'ben',
    at: '2026-11-20T01:00:00.000Z',
    countedAt: '2026-11-20T01:00:00.000Z',
    updatedAt: '2026-11-20T01:00:00.000Z',
    late: false,
    countedBy: ben,
    sentBy: ben,
    updatedBy: ben,
  });

  function open(later?: (work: () => void) => void) {
    const outbox = new Outbox(countQueue, { disk: new MemoryDisk(), mirror: new MemoryMirror() });
    const book = new CountModel(outbox, scope, 'u1', later);
    book.setWarmUp(warm);
    book.follow();
    return { outbox, book };
  }

  it('is ordered by store area, items without one last', () => {
    expect(groupByArea(items).map(({ name }) => name)).toEqual([
      'Cold',
      'Freezer',
      'Everything else',
    ]);
  });

  it('shows the previous count, except in a blind count', () => {
    const { book } = open();
    expect(book.row('a')).toMatchObject({ previous: { qty: 7 }, expected: 6, counted: false });
    book.setWarmUp({ ...warm, settings: { ...settings, blind: true } });
    expect(book.row('a')).toMatchObject({ previous: null, expected: null });
  });

  it('of an earlier day shows the count before it, which the warm-up may not have', () => {
    const { outbox } = open();
    const book = new CountModel(outbox, { ...scope, date: '2026-11-19', session: 'closing' }, 'u1');
    const last = { date: '2026-11-19', session: 'closing', itemId: 'a', qty: 7 } as const;
    book.setWarmUp({ ...warm, previous: [last] });
    expect(book.row('a').previous).toBeNull();
    const before = { ...known('a', 5, 1), date: '2026-11-18', session: 'closing' as const };
    book.setDayBefore([before]);
    book.setEntries([{ ...known('a', 7, 2), date: '2026-11-19', session: 'closing' }]);
    expect(book.row('a')).toMatchObject({ counted: true, qty: 7, previous: { qty: 5 } });
    book.setWarmUp({ ...warm, settings: { ...settings, blind: true } });
    expect(book.row('a').previous).toBeNull();
  });

  it('is compared with what its own day and session are expected to come to', () => {
    const { outbox } = open();
    const expected = (date: string, session: Scope['session'], from = warm) => {
      const book = new CountModel(outbox, { ...scope, date, session }, 'u1');
      book.setWarmUp(from);
      return book.row('a').expected;
    };
    expect(expected('2026-11-20', 'closing')).toBe(4);
    expect(expected('2026-11-20', '')).toBe(3);
    expect(expected('2026-11-19', 'closing')).toBe(8);
    expect(expected('2026-11-19', 'opening')).toBeNull();
    const old = { ...warm, expectedOf: undefined } as unknown as WarmUp;
    expect(expected('2026-11-20', 'closing', old)).toBeNull();
    // A day that the warm-up does not have is asked for by itself.
    const book = new CountModel(outbox, { ...scope, date: '2026-11-12' }, 'u1');
    book.setExpectedOfDay([{ date: '2026-11-12', session: 'opening', items: { a: 11 } }]);
    book.setWarmUp(warm);
    expect(book.row('a').expected).toBe(11);
    book.setWarmUp({ ...warm, settings: { ...settings, blind: true } });
    expect(book.row('a').expected).toBeNull();
  });

  it('overlays typed values, and renders only that row again', async () => {
    const { book } = open();
    book.setEntries([known('a', 3, 4), known('b', 8, 1)]);
    const before = book.row('b');
    await book.count('a', 12);
    expect(book.row('a')).toMatchObject({ qty: 12, state: 'saved', revision: 4 });
    expect(book.row('b')).toBe(before);
    expect(book.progress()).toMatchObject({ counted: 2, of: 3, waiting: 1 });
  });

  it('sends the revision it was typed over', async () => {
    const { book, outbox } = open();
    book.setEntries([known('a', 3, 4)]);
    await book.count('a', 12);
    await book.count('a', 13);
    const [first, second] = outbox.snapshot().records.flatMap(({ record }) => record.entries);
    expect(first).toMatchObject({ base: 4, prev: null });
    expect(second).toMatchObject({ base: 4, prev: first?.op });
  });

  it('defers rendering the row that was left, but never on return to it', async () => {
    const owed: (() => void)[] = [];
    const { book, outbox } = open((work) => owed.push(work));
    book.setEntries([known('a', 3, 4)]);
    await book.count('a', 12);
    expect(book.row('a').qty).toBe(3);
    // A value written meanwhile still has the revision it was typed over.
    await book.count('a', 13);
    const [first, second] = outbox.snapshot().records.flatMap(({ record }) => record.entries);
    expect(second).toMatchObject({ base: 4, prev: first?.op });
    book.refresh('a');
    expect(book.row('a').qty).toBe(13);
    await book.count('b', 1);
    expect(owed.length, 'asked for once at a time').toBe(1);
    for (const work of owed.splice(0)) work();
    expect(book.row('b').qty).toBe(1);
    expect(book.progress()).toMatchObject({ counted: 2, waiting: 2 });
    await book.count('b', 2);
    expect(owed.length, 'and again for what comes later').toBe(1);
  });

  it('removes a count and tells zero from none', async () => {
    const { book } = open();
    book.setEntries([known('a', 3, 4)]);
    await book.count('a', null);
    expect(book.row('a')).toMatchObject({ counted: false, qty: null });
    await book.count('a', 0);
    expect(book.row('a')).toMatchObject({ counted: true, qty: 0 });
  });

  it('shows what was typed last, also after the clock was set back', async () => {
    const disk = new MemoryDisk();
    const outbox = new Outbox(countQueue, { disk, mirror: new MemoryMirror() });
    // A page opened after that names its records by the earlier time.
    const stored = (id: string, op: string, at: string, qty: number, prev: string | null) => {
      const entries = [
        { itemId: 'a', qty, at, seq: Number(op.split(':')[1]), base: null, prev, op },
      ];
      const record = { ...scope, v: 1, uid: 'u1', deviceId: op.split(':')[0], entries };
      disk.stores.pending.set(id, { lane: 'storeCount', record });
    };
    stored('2', 'phone:1', '2026-11-20T03:00:00Z', 3, null);
    stored('1', 'phone:2', '2026-11-20T02:00:00Z', 5, 'phone:1');
    await outbox.open();
    const book = new CountModel(outbox, scope, 'u1');
    book.setWarmUp(warm);
    expect(book.row('a')).toMatchObject({ qty: 5, state: 'saved', op: 'phone:2' });
    // Without room on the disk the page has numbers of its own, but names what it saw.
    stored('0', 'page:1', '2026-11-20T01:00:00Z', 7, 'phone:2');
    await outbox.open();
    book.setWarmUp({ ...warm });
    expect(book.row('a')).toMatchObject({ qty: 7, op: 'page:1' });
  });

  it('is sent with its author, whoever is signed in by then', async () => {
    const { outbox, book } = open();
    const send = vi
      .spyOn(countApi, 'batch')
      .mockImplementation(async ({ entries }) =>
        entries.map(({ op }) => ({ op, outcome: 'applied' }) as CountAnswer),
      );
    await book.count('a', 3);
    await outbox.flush();
    expect(send.mock.calls.map(([{ countedBy }]) => countedBy)).toEqual([{ uid: 'u1' }]);
  });

  describe('that changes a number', () => {
    afterEach(() => {
      vi.useRealTimers();
    });

    const startAt = (time: string) => {
      vi.useFakeTimers({ toFake: ['Date'], now: new Date(`2026-11-20T${time}Z`) });
      const opened = open();
      opened.book.setEntries([known('a', 3, 4)]);
      const sent = () => opened.outbox.snapshot().records.flatMap(({ record }) => record.entries);
      return { ...opened, sent };
    };

    it('is a correction within ten minutes, and asked about after them', async () => {
      const { book, sent } = startAt('01:10:00');
      await book.count('a', 12);
      expect(book.asked()).toBeNull();
      vi.setSystemTime('2026-11-20T01:20:00.001Z');
      await book.count('a', 12);
      expect(book.asked(), 'the same number confirms').toBeNull();
      vi.setSystemTime('2026-11-20T01:40:00Z');
      await book.count('a', 15);
      expect(book.asked()).toMatchObject({ itemId: 'a', name: 'Apples', from: 12, to: 15 });
      await book.answerRecount(true);
      expect(book.asked()).toBeNull();
      expect(sent().map(({ qty, recount }) => [qty, recount])).toEqual([
        [12, undefined],
        [12, undefined],
        [15, undefined],
      ]);
    });

    it('names what it corrects when only the number was wrong', async () => {
      const { book, sent } = startAt('03:00:00');
      await book.count('a', 30);
      // Typing goes on; the question stays.
      await book.count('b', 4);
      expect(book.asked()).toMatchObject({ itemId: 'a', from: 3, to: 30 });
      vi.setSystemTime('2026-11-20T03:05:00Z');
      await book.answerRecount(false);
      const [typed, , answer] = sent();
      expect(answer).toMatchObject({
        itemId: 'a',
        qty: 30,
        recount: false,
        base: 4,
        prev: 'ben:4',
      });
      expect(answer?.at, 'it does not overtake counts made since').toBe(typed?.at);
      expect(book.row('a')).toMatchObject({ qty: 30, countedAt: '2026-11-20T01:00:00.000Z' });
    });

    it('is no longer asked about once the item is cleared or counted back', async () => {
      const { book } = startAt('03:00:00');
      await book.count('a', 30);
      await book.count('a', 31);
      expect(book.asked(), 'a correction of the new number').toBeNull();
      vi.setSystemTime('2026-11-20T04:00:00Z');
      await book.count('a', 32);
      expect(book.asked()).not.toBeNull();
      await book.count('a', null);
      expect(book.asked()).toBeNull();
    });
  });

  it('puts the items that have to be counted first in their area', () => {
    const marked = { documentNo: 'TR-2026-000012', markedAt: '', expected: 1.5, unit: 'kg' };
    const both: Item[] = [
      { id: 'd', name: 'Duck', storageArea: 'Freezer', sortOrder: 1, packs: [] },
      { id: 'b', name: 'Beef', storageArea: 'Freezer', sortOrder: 2, packs: [], marked },
    ];
    const [area] = groupByArea(both);
    expect(area?.items.map(({ id }) => id)).toEqual(['b', 'd']);
  });
});
