import { describe, expect, it } from 'vitest';
import type { BranchToday, OrderDue, PlacedOrder } from '../types';
import { foundFor, listsOf, stateOf } from './lists';

const now = Date.parse('2026-11-27T02:00:00Z');
const due: OrderDue = {
  sourceType: 'commissary',
  sourceId: 'c1',
  sourceName: 'Pasig kitchen',
  neededDate: '2026-11-30',
  cutoffAt: '2026-11-29T08:00:00Z',
};
const order = (change: Partial<PlacedOrder>): PlacedOrder => ({
  id: 'o1',
  orderNo: 'SO-1',
  status: 'draft',
  sourceType: 'commissary',
  sourceId: 'c1',
  sourceName: 'Pasig kitchen',
  neededDate: '2026-11-27',
  cutoffAt: '2026-11-26T08:00:00Z',
  past: true,
  lineCount: 2,
  cut: 0,
  deliveries: [],
  ...change,
});
const today = (placed: PlacedOrder[] | undefined, orders = [due]) =>
  ({ orders, placed }) as BranchToday;

describe('the orders of a store', () => {
  it('are all listed: drafts past their cut-off, and what was sent', () => {
    const later = order({ id: 'o2', neededDate: '2026-12-02', cutoffAt: null, past: false });
    const sent = order({ id: 'o3', status: 'submitted' });
    const lists = listsOf(today([order({}), later, sent]), [], new Set(), now);
    expect(lists.next).toEqual([due]);
    expect(lists.past.map(({ id }) => id)).toEqual(['o1']);
    expect(lists.drafts.map(({ id }) => id)).toEqual(['o2']);
    expect(lists.sent.map(({ id }) => id)).toEqual(['o3']);
  });

  it('count as past once the cut-off passes on the device', () => {
    const draft = order({
      past: false,
      neededDate: '2026-11-28',
      cutoffAt: '2026-11-27T08:00:00Z',
    });
    const at = (time: string) =>
      listsOf(today([draft]), [], new Set(), Date.parse(time)).past.length;
    expect([at('2026-11-27T07:59:00Z'), at('2026-11-27T08:00:00Z')]).toEqual([0, 1]);
  });

  it('show what was begun here for a day that passed, unless it is on its way', () => {
    const name = 'commissary:c1:2026-11-26';
    const forms = [name, 'commissary:c1', 'commissary:c1:2026-11-30'];
    expect(listsOf(today([]), forms, new Set(), now).begun).toMatchObject([
      { subject: name, neededDate: '2026-11-26', sourceName: 'Pasig kitchen' },
    ]);
    expect(listsOf(today([]), forms, new Set([name]), now).begun).toEqual([]);
    expect(listsOf(today(undefined), [], new Set(), now).sent).toEqual([]);
  });

  it('name the next truck to a form that is late', () => {
    const old = foundFor(today([]), 'commissary:c1:2026-11-26', now);
    expect(old).toMatchObject({ past: true, next: due, due: { neededDate: '2026-11-26' } });
    const draft = foundFor(today([order({})]), 'commissary:c1:2026-11-27', now);
    expect(draft).toMatchObject({ past: true, next: due, due: { orderId: 'o1' } });
    expect(foundFor(today([]), 'commissary:c1:2026-11-30', now)).toMatchObject({
      past: false,
      due,
    });
    expect(foundFor(today([]), 'commissary:c1', now)).toMatchObject({ past: false, due });
  });

  it('that were sent can be added to', () => {
    const sent = { ...due, status: 'submitted', orderId: 'o1', orderNo: 'SO-1' };
    const name = 'commissary:c1:2026-11-30';
    const found = foundFor(today([], [sent]), name, now);
    expect(found).toMatchObject({ past: false, sentNo: 'SO-1', due: { orderId: null } });
    expect(listsOf(today([], [sent]), [], new Set(), now)).toMatchObject({
      next: [],
      more: [sent],
    });
    // One on top of it was begun on the device, or is a draft.
    expect(listsOf(today([], [sent]), [name], new Set(), now)).toMatchObject({
      next: [{ neededDate: '2026-11-30', orderId: null }],
      begun: [],
    });
    const draft = order({ id: 'o2', neededDate: '2026-11-30', cutoffAt: null, past: false });
    expect(foundFor(today([draft], [sent]), name, now)?.due.orderId).toBe('o2');
    expect(listsOf(today([draft], [sent]), [name], new Set(), now)).toMatchObject({
      next: [],
      more: [],
      drafts: [{ id: 'o2' }],
    });
    expect(foundFor(today([], []), 'commissary:c1', now)).toBeNull();
  });

  it('are packed when their delivery is', () => {
    const approved = (...statuses: string[]) =>
      stateOf(
        order({
          status: 'approved',
          deliveries: statuses.map((status) => ({ deliveryNo: 'DL-1', status })),
        }),
      ).label;
    expect([approved(), approved('draft'), approved('picking'), approved('packed')]).toEqual([
      'Approved',
      'Approved',
      'Being packed',
      'Packed',
    ]);
  });
});
