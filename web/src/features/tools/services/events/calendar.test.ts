import { describe, expect, it } from 'vitest';
import type { ForecastEvent } from '../forecastApi';
import { daysLabel, eventsOn, monthOf, monthText, weeksOf } from './calendar';

const event = (id: string, from: string, to: string, builtIn: boolean): ForecastEvent => ({
  id,
  name: id,
  kind: builtIn ? 'payday' : 'promotion',
  from,
  to,
  estimated: false,
  builtIn,
  revision: 0,
});

describe('the month', () => {
  it('shows whole weeks from Monday', () => {
    for (const month of ['2026-02-01', '2026-11-01', '2027-03-01']) {
      const days = weeksOf(month).flat();
      expect(days.length % 7).toBe(0);
      expect(new Date(`${days[0]}T00:00:00Z`).getUTCDay()).toBe(1);
      expect(days.filter((day) => day.startsWith(monthText(month))).length).toBe(
        new Date(Date.UTC(Number(month.slice(0, 4)), Number(month.slice(5, 7)), 0)).getUTCDate(),
      );
    }
    expect(weeksOf('2027-02-01')).toHaveLength(4);
  });

  it('comes from the address, else is the current one', () => {
    expect(monthOf('2026-03', '2026-11-25')).toBe('2026-03-01');
    expect(monthOf('2026-13', '2026-11-25')).toBe('2026-11-01');
    expect(monthOf('', '2026-11-25')).toBe('2026-11-01');
  });

  it('puts user-defined events first', () => {
    const events = [
      event('Payday', '2026-11-15', '2026-11-15', true),
      event('Zest', '2026-11-15', '2026-11-20', false),
    ];
    expect(eventsOn(events, '2026-11-15').map(({ id }) => id)).toEqual(['Zest', 'Payday']);
    expect(eventsOn(events, '2026-11-20').map(({ id }) => id)).toEqual(['Zest']);
    expect(eventsOn(events, '2026-11-21')).toEqual([]);
  });

  it('formats days as short as possible', () => {
    expect(daysLabel({ from: '2026-11-26', to: '2026-11-26' })).toBe('26 Nov');
    expect(daysLabel({ from: '2026-11-26', to: '2026-11-28' })).toBe('26 – 28 Nov');
    expect(daysLabel({ from: '2026-11-30', to: '2026-12-02' })).toBe('30 Nov – 2 Dec');
  });
});
