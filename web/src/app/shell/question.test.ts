import { describe, expect, it } from 'vitest';
import type { Me } from '#/api/session';
import { answersTo, type Question, understood } from './question';

const everybody = { user: { superAdmin: true }, permissions: {} } as unknown as Me;
const nobody = { user: { superAdmin: false }, permissions: {} } as unknown as Me;
const question = (more: Partial<Question>): Question => ({
  topic: 'sales',
  stores: [],
  areas: [],
  unknown: [],
  ...more,
});
const makati = [
  { id: 's1', name: 'Makati Ayala' },
  { id: 's2', name: 'Makati Legazpi' },
];
const lastWeek = { from: '2026-11-16', to: '2026-11-22', named: 'last-week' };

describe('a question in plain words', () => {
  it('links to the reports that answer it, with stores and days', () => {
    const asked = question({ stores: makati, days: lastWeek });
    expect(answersTo(asked, everybody).map(({ path }) => path)).toEqual([
      '/reports/product-sales-by-store?range=last-week&stores=s1%2Cs2&measure=net',
      '/reports/smbcd?range=last-week&stores=s1%2Cs2',
    ]);
    expect(understood(asked)).toBe('Makati Ayala, Makati Legazpi · Last week');
  });

  it('names the item and the words it did not understand', () => {
    const items = { q: 'chicken', rootItems: 2, posItems: 0, products: 0 };
    const days = { from: '2026-10-01', to: '2026-10-31' };
    const asked = question({ topic: 'waste', items, days, unknown: ['zzz'] });
    expect(answersTo(asked, everybody)[0]?.path).toBe(
      '/reports/root-item-movement-by-store?from=2026-10-01&to=2026-10-31&q=chicken',
    );
    expect(understood(asked)).toBe('“chicken” · 1 – 31 Oct 2026 · not understood: zzz');
  });

  it('links only to pages the user may open', () => {
    expect(answersTo(question({ stores: makati }), nobody)).toEqual([]);
  });
});
