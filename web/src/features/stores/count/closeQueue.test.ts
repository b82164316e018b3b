import { describe, expect, it } from 'vitest';
import type { OutboxSnapshot } from '#/offline/writeQueue';
import { type AnswerRecord, answeredHere, closeQueue, openDeliveries } from './closeQueue';
import type { Scope } from './types';

const scope: Scope = { storeId: 's', date: '2026-11-20', session: 'opening' };
const record = (lineId: string, included: boolean, session = scope.session): AnswerRecord => ({
  ...{ v: 1, uid: 'u', storeId: 's', date: '2026-11-20', session },
  answers: [{ op: `d:${lineId}`, lineId, included }],
});
const line = (lineId: string, included?: boolean) => ({
  ...{ lineId, name: 'Buns', uomCode: 'pc', itemIds: ['a'] },
  ...(included === undefined ? {} : { included }),
});
const warm = {
  countingDate: '2026-11-20',
  countingSession: 'opening' as const,
  deliveries: [
    { documentId: 'd', number: 'DL-1', received: false, lines: [line('1'), line('2', true)] },
    { documentId: 'r', number: 'GR-1', received: true, lines: [line('3')] },
  ],
};

describe('questions about deliveries', () => {
  it('are asked until a person answers, here or elsewhere', () => {
    const snapshot = {
      records: [{ id: '1', record: record('3', false) }],
      settled: [
        { record: record('1', true, 'closing'), answer: { op: 'd:1', outcome: 'applied' } },
      ],
    } satisfies Pick<OutboxSnapshot<AnswerRecord>, 'records' | 'settled'>;
    const said = answeredHere(snapshot, scope);
    expect([...said]).toEqual([['3', false]]);
    const open = openDeliveries(warm, scope, said);
    expect(open.map(({ number, lines }) => [number, lines.length])).toEqual([['DL-1', 1]]);
  });

  it('belong to the count of now, and an old warm-up has none', () => {
    expect(openDeliveries(warm, { ...scope, date: '2026-11-19' }, new Map())).toEqual([]);
    expect(openDeliveries({ ...warm, deliveries: undefined }, scope, new Map())).toEqual([]);
  });

  it('are sent together for one count', () => {
    const joined = closeQueue.join([record('1', true), record('3', false)]);
    expect(closeQueue.ops(joined)).toEqual(['d:1', 'd:3']);
    expect(closeQueue.pick(joined, new Set(['d:3'])).answers).toEqual(record('3', false).answers);
    expect(closeQueue.read({ v: 1, uid: 'u' })).toBeNull();
  });
});
