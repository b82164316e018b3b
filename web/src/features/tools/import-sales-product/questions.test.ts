import { describe, expect, it } from 'vitest';
import {
  answered,
  chosenOf,
  differenceOf,
  layoutAsks,
  nextOpen,
  openAsks,
  placeOfKey,
  reconciled,
  reviewAsks,
} from './questions';
import type { Ask, Layout, Mapping } from './types';

const choice = (id: string, set: object, lines: number, qty: number, net: number) => ({
  id,
  label: id,
  set: set as Record<string, never>,
  lines,
  qty,
  net,
});

const net: Ask = {
  id: 'net',
  about: 'Which column is the net amount?',
  rows: 0,
  choices: [
    choice('total', { columns: { net: 3 } }, 2, 3, 30.3),
    choice('subtotal', { columns: { net: 4 } }, 2, 3, 27.1),
  ],
};
const word: Ask = {
  id: 'word:preparing',
  about: 'What does «Preparing» mean?',
  rows: 1,
  choices: [
    choice('leaveOut', { words: { preparing: 'leaveOut' } }, 1, 1, 120),
    choice('counts', { words: { preparing: 'counts' } }, 2, 2, 240),
  ],
};
const once: Ask = { ...net, id: 'once', choices: [choice('once', { once: ['pax'] }, 2, 3, 30)] };

const mapping = {
  columns: { date: 0, item: 1, store: 2, net: 3, discount: 4 },
  words: { void: 'leaveOut' },
  store: null,
} as unknown as Mapping;
const layout = { columns: [], asks: [net, word] } as unknown as Layout;

describe('questions about a file', () => {
  it('are open until answered with one of their choices', () => {
    expect(openAsks([net, word], {})).toEqual([net, word]);
    expect(openAsks([net, word], { net: 'total' })).toEqual([word]);
    expect(openAsks([net, word], { net: 'gone' })).toEqual([net, word]);
    expect(chosenOf(net, { net: 'subtotal' })?.net).toBe(27.1);
  });

  it('lead on to the next open one, and after the last to those before', () => {
    const asks = [net, word, once];
    expect(nextOpen(asks, {}, null)).toBe('net');
    expect(nextOpen(asks, {}, 'net')).toBe('word:preparing');
    expect(nextOpen(asks, { 'word:preparing': 'counts' }, 'net')).toBe('once');
    expect(nextOpen(asks, {}, 'once')).toBe('net');
    expect(nextOpen(asks, { net: 'total', 'word:preparing': 'counts' }, 'once')).toBeNull();
  });

  it('take the keys 1 to 9', () => {
    expect(['1', '9', '0', '10', 'a', 'Enter'].map(placeOfKey)).toEqual([
      0,
      8,
      null,
      null,
      null,
      null,
    ]);
  });

  it('show how each choice differs from the chosen one, or from the suggested one', () => {
    const [total, subtotal] = net.choices as [Ask['choices'][number], Ask['choices'][number]];
    expect(differenceOf(net, total, {})).toBeNull();
    expect(differenceOf(net, subtotal, {})).toEqual({ lines: 0, qty: 0, net: -3.2 });
    expect(differenceOf(net, total, { net: 'subtotal' })).toEqual({ lines: 0, qty: 0, net: 3.2 });
    expect(differenceOf(net, subtotal, { net: 'subtotal' })).toBeNull();
    const same = { ...subtotal, id: 'same' };
    expect(differenceOf({ ...net, choices: [subtotal, same] }, same, {})).toBeNull();
  });
});

describe('an answer', () => {
  it('is recorded, takes over its column, and adds to words', () => {
    const one = answered(mapping, net, net.choices[1] as Ask['choices'][number]);
    expect(one.columns).toEqual({ date: 0, item: 1, store: 2, net: 4 });
    const both = answered(one, word, word.choices[1] as Ask['choices'][number]);
    expect(both.words).toEqual({ void: 'leaveOut', preparing: 'counts' });
    expect(both.answers).toEqual({ net: 'subtotal', 'word:preparing': 'counts' });
  });

  it('follows a change by hand, or is open again', () => {
    const given = answered(mapping, net, net.choices[1] as Ask['choices'][number]);
    expect(reconciled(given, layout).answers).toEqual({ net: 'subtotal' });
    const total = { ...given, columns: { ...given.columns, net: 3 } };
    expect(reconciled(total, layout).answers).toEqual({ net: 'total' });
    const other = { ...given, columns: { ...given.columns, net: 7 } };
    expect(reconciled(other, layout).answers).toEqual({});
  });

  it('is not asked for where the column was chosen by hand', () => {
    const amount = { ...net, id: 'amount' };
    const file = { ...layout, asks: [amount] } as Layout;
    expect(layoutAsks(file, mapping)).toEqual([]);
    expect(layoutAsks(file, { ...mapping, columns: {} })).toEqual([amount]);
    expect(layoutAsks(file, { ...mapping, answers: { amount: 'total' } })).toEqual([amount]);
  });
});

describe('the questions of the review', () => {
  it('keep their places, with the newest sums, while they are answered', () => {
    const newer = { ...word, rows: 2 };
    const seen = reviewAsks([net, word], [], [], {});
    expect(seen).toEqual([net, word]);
    expect(reviewAsks([newer], [], seen, { net: 'total' })).toEqual([net, newer]);
    expect(reviewAsks([newer], [], seen, {})).toEqual([newer]);
    expect(reviewAsks([], [once], seen, { net: 'total' })).toEqual([net, once]);
  });
});
