import { describe, expect, it } from 'vitest';
import type { LotTrace, TracedLot, TraceEvent } from '#/stock/api';
import { holdersOf, inAll, originsOf, usedOf } from './model';

const lot = (code: string, side: string, productId = 'p1'): TracedLot => ({
  productId,
  name: 'Adobo',
  lot: code,
  side,
});
const event = (of: Partial<TraceEvent>): TraceEvent => ({
  at: '2026-11-20T01:00:00.000Z',
  date: '2026-11-20',
  event: 'received',
  productId: 'p1',
  name: 'Adobo',
  lot: 'L1',
  qty: 10,
  documentKind: 'receipt',
  documentId: 'd1',
  ...of,
});
const there = (placeName: string, qty: number, placeKind: 'store' | 'inTransit' = 'store') => ({
  productId: 'p1',
  lot: 'L1',
  placeKind,
  placeId: placeName,
  placeName,
  qty,
  atLeast: 0,
  atMost: qty + 1,
  came: qty + 3,
  left: 2,
  cameLessLeft: qty + 1,
  counted: true,
});
const trace = (of: Partial<LotTrace>): LotTrace => ({
  lot: 'L1',
  lots: [lot('L1', 'asked')],
  events: [],
  there: [],
  cut: false,
  ...of,
});

describe('holders of a lot', () => {
  it("include a store's receipts and its remaining stock", () => {
    const found = holdersOf(
      trace({
        events: [
          event({ to: 'Ayala', date: '2026-11-21', qty: 4 }),
          event({ to: 'Ayala', qty: 10 }),
          event({ to: 'Cebu', qty: 3 }),
        ],
        there: [there('Ayala', 6), there('Cebu', 0)],
      }),
    );
    expect(found).toMatchObject([
      {
        place: 'Ayala',
        got: 14,
        first: '2026-11-20',
        last: '2026-11-21',
        there: 6,
        atMost: 7,
        out: 2,
      },
      { place: 'Cebu', got: 3, there: 0, atLeast: 0, atMost: 1 },
    ]);
  });

  it('include stock in transit separately', () => {
    const found = holdersOf(trace({ there: [there('Ayala', 5, 'inTransit')] }));
    expect(found).toMatchObject([
      { place: 'On its way to Ayala', onItsWay: true, got: null, there: 5 },
    ]);
  });

  it('exclude places of its ingredients', () => {
    const found = holdersOf(
      trace({ lots: [lot('L1', 'madeOf')], events: [event({ to: 'Ayala' })] }),
    );
    expect(found).toEqual([]);
  });
});

describe('a lot', () => {
  it('originates where it was made', () => {
    const made = event({ event: 'made', documentId: 'b1' });
    const again = { ...made, qty: 5 };
    const found = originsOf(trace({ events: [event({ to: 'Ayala' }), made, again] }));
    expect(found).toMatchObject([{ event: 'made', qty: 15 }]);
  });

  it('originates from a supplier if no one made it', () => {
    const came = event({ from: 'Fresh Farms', to: 'Ayala' });
    const found = originsOf(trace({ events: [came, event({ to: 'Cebu' })] }));
    expect(found).toMatchObject([{ event: 'received', place: 'Fresh Farms', to: 'Ayala' }]);
  });

  it('shows how much of another lot its batch used', () => {
    const events = [
      event({ event: 'made', documentId: 'b1' }),
      event({ event: 'used', documentId: 'b1', lot: 'RAW', qty: 3 }),
      event({ event: 'used', documentId: 'b2', lot: 'RAW', qty: 9 }),
    ];
    const raw = lot('RAW', 'madeOf');
    expect(usedOf(trace({ lots: [lot('L1', 'asked'), raw], events }), raw)).toBe(3);
  });

  it('has a total over all places', () => {
    const all = inAll(trace({ there: [there('A', 2), there('B', 3)] }), lot('L1', 'asked'));
    expect(all).toEqual({ qty: 5, atLeast: 0, atMost: 7 });
  });
});
