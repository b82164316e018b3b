import { describe, expect, it } from 'vitest';
import type { Run } from './api';
import {
  ago,
  askLabel,
  asksFirst,
  changeLabel,
  clock,
  figureLabel,
  groupOf,
  hasPicture,
  isPartly,
  lasted,
  minutesOf,
  runsLabel,
  scheduleLabel,
} from './labels';

const run = (state: Run['state'], failedTotal = 0): Run => ({
  id: state,
  service: 'advanced-forecast',
  state,
  scheduled: false,
  createdAt: '2026-11-24T18:30:00Z',
  asked: {},
  done: 0,
  total: 0,
  message: '',
  outcome: { words: '', figures: [], failed: [], failedTotal },
});

describe('a replay', () => {
  it('is described by its days and policies', () => {
    const policies = [{ name: 'Really', actual: true }, { name: 'Plan' }];
    const asked = { from: '2026-10-01', to: '2026-10-31', policies };
    expect(askLabel(asked, () => undefined)).toBe(
      'All stores · from 1 Oct 2026 to 31 Oct 2026 · compared: Really, Plan',
    );
  });

  it('needs parameters, and has a chart', () => {
    expect(asksFirst('replay') && hasPicture('replay') && hasPicture('weekly-forecast')).toBe(true);
    expect(asksFirst('weekly-forecast') || hasPicture('daily-sales-coverage')).toBe(false);
  });
});

describe('schedules', () => {
  const daily = { enabled: true, minutes: 150, weekdays: 127 };

  it('are described in words', () => {
    expect(scheduleLabel(daily)).toBe('Every day at 02:30');
    expect(scheduleLabel({ ...daily, weekdays: 31 })).toBe('Monday to Friday at 02:30');
    expect(scheduleLabel({ ...daily, weekdays: 0b1000001, minutes: 5 })).toBe('Mon, Sun at 00:05');
  });

  it('that never run say so', () => {
    for (const off of [null, { ...daily, enabled: false }, { ...daily, weekdays: 0 }]) {
      expect(scheduleLabel(off)).toBe('Runs only when asked');
    }
  });

  it('parse the times they format', () => {
    for (const minutes of [0, 5, 150, 719, 720, 1439]) {
      expect(minutesOf(clock(minutes))).toBe(minutes);
    }
    for (const wrong of ['', '24:00', '12:60', '2', 'noon', '12:5']) {
      expect(minutesOf(wrong)).toBeNull();
    }
  });
});

describe('runs', () => {
  it('show their duration and age', () => {
    expect([640, 41_000, 600_000, 9_000_000].map(lasted)).toEqual([
      'under a second',
      '41 s',
      '10 min',
      '2.5 h',
    ]);
    expect(lasted(null)).toBe('');
    const now = Date.parse('2026-11-24T05:00:00Z');
    expect(ago('2026-11-24T04:59:50Z', now)).toBe('just now');
    expect(ago('2026-11-24T04:00:00Z', now)).toBe('1 hour ago');
    expect(ago('2026-11-20T05:00:00Z', now)).toBe('4 days ago');
  });

  it('are counted by outcome', () => {
    expect(runsLabel([])).toBe('Never run yet.');
    expect(runsLabel([run('done')])).toBe('One run: 1 done.');
    expect(runsLabel([run('done'), run('failed'), run('done')])).toBe(
      'Last 3 runs: 2 done, 1 failed.',
    );
    expect([run('done', 2), run('done'), run('failed', 2)].map(isPartly)).toEqual([
      true,
      false,
      false,
    ]);
  });

  it('describe their parameters', () => {
    const nameOf = (id: string) => (id === 's1' ? 'Makati' : undefined);
    expect(askLabel({}, nameOf)).toBe('All stores');
    expect(askLabel({ storeIds: ['s1'], itemIds: ['a', 'b'], horizon: 14 }, nameOf)).toBe(
      'Makati · 2 items · 14 days ahead',
    );
    expect(askLabel({ storeIds: ['s1', 's2'], to: '2026-11-08' }, nameOf)).toBe(
      '2 stores · sales to 8 Nov 2026',
    );
    expect(askLabel({ from: '2026-01-01', to: '2026-11-08' }, nameOf)).toBe(
      'All stores · sales from 1 Jan 2026 to 8 Nov 2026',
    );
  });
});

describe('figures', () => {
  const figure = (value: number, before?: number, unit?: string) => ({
    label: '',
    value,
    before,
    unit,
  });

  it('have readable precision', () => {
    expect(figureLabel(figure(1408))).toBe('1,408');
    expect(figureLabel(figure(27.394, undefined, '%'))).toBe('27.4%');
    expect(figureLabel(figure(2.346, undefined, 'days'))).toBe('2.35 days');
  });

  it('are compared with the previous run', () => {
    expect(changeLabel(figure(1408, 1379))).toBe('+29');
    expect(changeLabel(figure(8, 30))).toBe('−22');
    expect(changeLabel(figure(27.9, 27.4, '%'))).toBe('+0.5 points');
    expect(changeLabel(figure(5, 5))).toBeNull();
    expect(changeLabel(figure(27.4001, 27.4, '%'))).toBeNull();
    expect(changeLabel(figure(5))).toBeNull();
  });
});

it('groups services under headings', () => {
  expect(groupOf('replay')).toBe('Plan');
  expect(groupOf('w3p-root-item-moving-average')).toBe('Forecasts');
  expect(groupOf('daily-sales-coverage')).toBe('Data');
  expect(groupOf('root-item-weekly-snapshot')).toBe('Data');
});
