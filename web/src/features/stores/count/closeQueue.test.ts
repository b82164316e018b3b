import { describe, expect, it, vi } from 'vitest';
import { Problem } from '#/api/problem';
import { type CloseLine, closeApi } from '#/documents/close';
import type { OutboxSnapshot } from '#/offline/writeQueue';
import {
  type AnswerRecord,
  answeredHere,
  closeQueue,
  openDeliveries,
  openQuestions,
} from './closeQueue';
import type { Scope, WarmUp } from './types';

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

describe('an answer about a delivery', () => {
  it.each([
    ['is over when the server says that its line is gone', 404, true],
    ['waits when only a proxy says so', 404, false],
    ['waits when the server fails', 500, true],
  ])('%s', async (_, status, worded) => {
    const problem = new Problem(status, 'x', 'No.', [], null, {}, worded);
    vi.spyOn(closeApi, 'answer').mockRejectedValue(problem);
    const sent = closeQueue.send(record('1', true));
    if (status === 404 && worded) {
      expect(await sent).toEqual([{ op: 'd:1', outcome: 'superseded' }]);
    } else await expect(sent).rejects.toBe(problem);
  });
});

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

  it('come about counts that were sent, in place of the same ones about the count of now', () => {
    const sent = (lineId: string, session: string): CloseLine => ({
      ...{ lineId, storeId: 's', date: '2026-11-20', session, name: 'Buns', qty: 200 },
      ...{ uomCode: 'pc', documentKind: 'receipt', documentNo: 'GR-1' },
      ...{ happenedAt: '2026-11-19T21:40:00Z', countedAt: '2026-11-19T22:06:00Z' },
    });
    const none = { records: [], settled: [] };
    const now = { ...warm, items: [] } as unknown as WarmUp;
    const words = 'GR-1 (200 pc) was received at 05:40. Was it counted at 06:06?';
    const asked = openQuestions(now, scope, [sent('3', 'opening'), sent('1', '')], none);
    expect(asked.map((one) => [one.scope.session, one.lineId, one.words])).toEqual([
      ['opening', '3', words],
      ['', '1', words],
      ['opening', '1', 'Is DL-1 already on the shelf and counted?'],
    ]);
    expect(asked.some(({ leaving }) => leaving)).toBe(false);
    const waste = { ...sent('9', 'opening'), documentKind: 'waste', documentNo: 'WS-1' };
    const [left] = openQuestions(undefined, scope, [waste], none);
    expect(left?.leaving).toBe(true);
    expect(left?.words).toBe(
      'WS-1 (200 pc) was thrown away at 05:40. Were these goods still there when the store was counted at 06:06?',
    );
    // Answered here, and not sent yet.
    const held = { records: [{ id: '1', record: record('3', true) }], settled: [] };
    const open = openQuestions(undefined, scope, [sent('3', 'opening'), sent('1', '')], held);
    expect(open.map(({ lineId }) => lineId)).toEqual(['1']);
  });

  it('name the day of what did not come on the day of the count', () => {
    const none = { records: [], settled: [] };
    const at = (happenedAt: string) => {
      const [receipt] = warm.deliveries.slice(1);
      const deliveries = [{ ...receipt, happenedAt }];
      const now = { ...warm, items: [], deliveries } as unknown as WarmUp;
      return openQuestions(now, scope, [], none)[0]?.words;
    };
    expect(at('2026-11-19T21:40:00Z')).toBe(
      'GR-1 was received at 05:40. Is it part of this count?',
    );
    expect(at('2026-11-19T08:27:00Z')).toBe(
      'GR-1 was received on 19 Nov 2026 at 16:27. Is it part of this count?',
    );
    const sent = {
      ...{ lineId: '3', storeId: 's', date: '2026-11-20', session: 'opening', name: 'Buns' },
      ...{ uomCode: 'pc', documentKind: 'receipt', documentNo: 'GR-1' },
      ...{ happenedAt: '2026-11-19T08:27:00Z', countedAt: '2026-11-19T22:06:00Z' },
    };
    expect(openQuestions(undefined, scope, [sent], none)[0]?.words).toBe(
      'GR-1 was received on 19 Nov 2026 at 16:27. Was it counted at 06:06?',
    );
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
