import { expect, it } from 'vitest';
import { guide } from './firstSteps';

const steps = (...done: boolean[]) => ({
  items: (['company', 'store', 'people', 'sales'] as const).map((key, at) => ({
    key,
    done: done[at] === true,
  })),
  salesThrough: done[3] ? '2026-11-20' : null,
});

it('shows every step until all are done', () => {
  const shown = guide(steps(true, true, false, false), null);
  expect(shown?.map(({ key, done }) => [key, done])).toEqual([
    ['company', true],
    ['store', true],
    ['people', false],
    ['sales', false],
    ['report', false],
  ]);
});

it('ends with the report, where the guide was shown', () => {
  const all = steps(true, true, true, true);
  expect(
    guide(all, 'shown')
      ?.filter(({ done }) => !done)
      .map(({ key }) => key),
  ).toEqual(['report']);
  expect(guide(all, 'reported')).toBeNull();
});

it('is not for groups that have everything, nor for users who may do none of it', () => {
  expect(guide(steps(true, true, true, true), null)).toBeNull();
  expect(guide({ items: [], salesThrough: null }, 'shown')).toBeNull();
});

it('comes back for a step that is open again', () => {
  expect(guide(steps(true, true, false, true), 'reported')).toHaveLength(5);
});

it('leads to the report of the last weeks with sales', () => {
  const report = (...done: boolean[]) =>
    guide(steps(...done), 'shown')?.find(({ key }) => key === 'report')?.href;
  expect(report(true, true, true, true)).toBe(
    '/reports/weekly-root-item-sales?from=2026-10-24&to=2026-11-20',
  );
  expect(report()).toBe('/reports/weekly-root-item-sales');
});
