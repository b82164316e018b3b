import { describe, expect, it } from 'vitest';
import type { components } from '#/api/schema.gen';
import { type Measure, measureOf, toldOf } from './scoreMeasures';

type Scorecard = components['schemas']['Scorecard'];

const store = (name: string, ticket: number | null) =>
  ({ name, ticket }) as Scorecard['items'][number];

const answer = (tickets: readonly (number | null)[], median: number | null) => ({
  items: tickets.map((ticket, at) => store(`Store ${at + 1}`, ticket)),
  medians: median === null ? [] : [{ of: 'all', name: '', ticket: median } as never],
  total: { ticket: 412.1 } as Scorecard['total'],
});

const ticket = measureOf('ticket') as Measure;

describe('a measure of the stores', () => {
  it('is their median, with the figure of all stores beside it', () => {
    const told = toldOf(ticket, answer([390, 450, 400, null], 400));
    expect(told.value).toBe('₱400.00');
    expect(told.notes.filter(Boolean)).toEqual([
      'All stores: ₱412.10',
      'Best: Store 2, ₱450.00',
      'Last: Store 1, ₱390.00',
      'Not known of 1 store',
    ]);
    expect([told.median, told.stores.length]).toEqual([400, 3]);
  });

  it('never shows the figure of all stores as their median', () => {
    const told = toldOf(ticket, answer([null], null));
    expect([told.value, told.median, told.stores]).toEqual(['–', null, []]);
    expect(told.notes).toContain('All stores: ₱412.10');
  });

  it('says why there is no median', () => {
    expect(toldOf(ticket, answer([390, 450], null)).notes.slice(0, 2)).toEqual([
      'Known of too few stores for a median',
      'All stores: ₱412.10',
    ]);
  });

  it('is best where less is better', () => {
    const waste = measureOf('wasteShare') as Measure;
    const items = [0.02, 0.01].map(
      (wasteShare, at) => ({ name: `Store ${at + 1}`, wasteShare }) as Scorecard['items'][number],
    );
    const total = { wasteShare: 0.015 } as Scorecard['total'];
    const { notes } = toldOf(waste, { items, medians: [], total });
    expect(notes.filter(Boolean).slice(2, 4)).toEqual([
      'Best: Store 2, 1.0%',
      'Last: Store 1, 2.0%',
    ]);
  });
});
