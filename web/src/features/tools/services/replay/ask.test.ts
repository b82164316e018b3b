import { describe, expect, it } from 'vitest';
import {
  ACTUAL,
  another,
  askOf,
  type Draft,
  draftsOf,
  faultsOf,
  isSlow,
  readGround,
  readPolicies,
  USUAL,
  writePolicies,
} from './ask';

const plain: Draft = {
  name: 'Plain',
  method: '',
  level: '',
  lead: '',
  review: '',
  packs: true,
  actual: false,
};
const NOWHERE = { storeIds: [], itemIds: [], from: '', to: '' };

describe('policies in the address', () => {
  it('round trip, whatever their names', () => {
    const drafts = [
      ACTUAL,
      { ...plain, name: 'A|b; c% “d”', method: 'dotm', level: '97.5', lead: '1', packs: false },
    ];
    expect(readPolicies(writePolicies(drafts))).toEqual(drafts);
  });

  it('default to the usual ones if the address is empty or invalid', () => {
    for (const text of ['', 'nothing-here', '%E0%A4%A|||||', '-1', '|||||'])
      expect(readPolicies(text)).toEqual(USUAL);
    expect(readPolicies('A|magic||||packs')[0]?.method).toBe('');
  });
});

describe('a replay', () => {
  it('sends what was typed, and no more', () => {
    const drafts = [
      ACTUAL,
      plain,
      { ...plain, name: ' Careful ', method: 'advanced', level: '97,5 %', lead: '0', review: '2' },
    ];
    expect(askOf(NOWHERE, drafts)).toEqual({
      policies: [
        { name: 'What was really ordered', actual: true },
        { name: 'Plain' },
        { name: 'Careful', method: 'advanced', serviceLevel: 0.975, leadDays: 0, reviewDays: 2 },
      ],
    });
    const ground = { storeIds: ['s'], itemIds: ['i'], from: '2026-10-01', to: '2026-10-31' };
    expect(askOf(ground, [])).toMatchObject({ ...ground, policies: [] });
  });

  it('can be changed and run again', () => {
    const drafts = [ACTUAL, { ...plain, level: '99.5', review: '3', packs: false }];
    expect(draftsOf(askOf(NOWHERE, drafts).policies ?? [])).toEqual(drafts);
  });

  it('is refused at the invalid field', () => {
    const wrong = (values: Partial<Draft>) => faultsOf([plain, { ...plain, ...values }]);
    expect(wrong({ name: ' ' })).toEqual({ 'policies.1.name': 'Give the policy a name.' });
    expect(wrong({})).toEqual({ 'policies.1.name': 'Another policy has this name.' });
    for (const level of ['100', '49', 'high'])
      expect(wrong({ name: 'B', level })).toHaveProperty(['policies.1.serviceLevel']);
    for (const lead of ['29', '1.5', '-1', 'x'])
      expect(wrong({ name: 'B', lead })).toHaveProperty(['policies.1.leadDays']);
    expect(wrong({ name: 'B', lead: '0', review: '0' })).toEqual({
      'policies.1.reviewDays': 'Set lead and review days.',
    });
    expect(faultsOf(USUAL)).toEqual({});
  });

  it('takes long if models are fitted', () => {
    expect(isSlow(USUAL)).toBe(false);
    expect(isSlow([...USUAL, { ...plain, method: 'ets_ANA' }])).toBe(true);
  });

  it('gives policies unique names', () => {
    const one = another(USUAL);
    expect(faultsOf([...USUAL, one, another([...USUAL, one])])).toEqual({});
  });

  it('has days only if both are valid', () => {
    const get = (values: Record<string, string>) => (name: string) => values[name] ?? '';
    expect(readGround(get({ from: '2026-13-45', to: '2026-10-31' })).from).toBe('');
    expect(readGround(get({ stores: 'a,,b' })).storeIds).toEqual(['a', 'b']);
  });
});
