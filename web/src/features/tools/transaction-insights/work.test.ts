import { describe, expect, test } from 'vitest';
import { atWork, type InsightsWork, type Told } from './api';
import { begun, ended, endedAgain, maySteer } from './work';

const work = (state: InsightsWork['state'], more: Partial<InsightsWork> = {}): InsightsWork => ({
  jobId: 'j1',
  state,
  startedBy: 'ana',
  startedByName: 'Ana Cruz',
  done: 0,
  total: 0,
  message: '',
  ...more,
});

describe('the job of a large analysis', () => {
  test('is running until it ends, whatever its outcome', () => {
    const states = ['queued', 'running', 'done', 'failed', 'cancelled'] as const;
    const at = states.filter((state) => atWork({ work: work(state) } as Told));
    expect(at).toEqual(['queued', 'running']);
    expect(atWork(undefined)).toBeNull();
    expect(atWork({} as Told)).toBeNull();
  });

  test('may be cancelled by its starter and super admins', () => {
    const may = (uid: string, superAdmin: boolean) =>
      maySteer({ uid, superAdmin }, work('running'));
    expect([may('ana', false), may('ben', false), may('ben', true)]).toEqual([true, false, true]);
  });

  test('shows its progress by stores', () => {
    expect(begun(work('queued'))).toBe('Waiting for its turn');
    expect(begun(work('running', { done: 3, total: 12, message: 'Makati' }))).toBe(
      'Makati · 3 of 12 stores',
    );
    expect(begun(work('running', { total: 1 }))).toBe('0 of 1 store');
  });

  test('does not fail when cancelled', () => {
    expect(ended(work('cancelled'))).toMatchObject({ title: 'Stopped', again: 'Ask again' });
    expect(ended(work('failed', { error: 'Too much.' }))).toEqual({
      title: 'The work did not end',
      text: 'Too much.',
      again: 'Try again',
    });
    expect(endedAgain(work('cancelled'))).toBe('Working it out again was stopped.');
    expect(endedAgain(work('failed', { error: 'Too much.' }))).toBe(
      'Working it out again failed. Too much.',
    );
  });
});
