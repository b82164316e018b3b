// What the next replay is asked, as the page keeps it and as the server takes it.
import { isDay } from '#/ui/dates';
import { qty } from '#/ui/format';
import { METHODS } from '#/ui/methods';
import { numberOf } from '#/ui/numberInput';
import type { Ask, ReplayAsk } from '../api';

/** A policy as it is typed. */
export interface Draft {
  name: string;
  /** As the server calls it; '' is the usual one. */
  method: string;
  /** In percent. */
  level: string;
  /** Days; '' is what holds for each product. */
  lead: string;
  review: string;
  packs: boolean;
  /** Not a policy, but what was really ordered. */
  actual: boolean;
}

export const USUAL_METHOD = 'dow_ma';
export const USUAL_LEVEL = 0.95;
export const MOST_POLICIES = 12;
const MOST_NAME = 60;
const MOST_DAYS = 28;

/** Means of past days; other methods fit a model anew every week, which takes time. */
const AVERAGES: ReadonlySet<string> = new Set([
  'dow_ma',
  'dow_ma4',
  'dow_ma_weighted',
  'sma28',
  'snaive',
]);

/** Whether any of them fits models. */
export const isSlow = (drafts: readonly Draft[]): boolean =>
  drafts.some(({ actual, method }) => !actual && !AVERAGES.has(method || USUAL_METHOD));

const policy = (level: string): Draft => ({
  name: `${level}% service`,
  method: '',
  level,
  lead: '',
  review: '',
  packs: true,
  actual: false,
});

export const ACTUAL: Draft = { ...policy(''), name: 'What was really ordered', actual: true };

/** What is compared unless somebody chooses: what was really ordered, and three service levels. */
export const USUAL: readonly Draft[] = [ACTUAL, policy('90'), policy('95'), policy('99')];

/** One more, with a name that none has yet. */
export function another(drafts: readonly Draft[]): Draft {
  const names = new Set(drafts.map(({ name }) => name.trim()));
  for (let n = drafts.length; ; n += 1) {
    const name = `Policy ${n}`;
    if (!names.has(name)) return { ...policy('95'), name };
  }
}

const [FIELDS, POLICIES] = ['|', ';'];

/** Policies in the address. */
export const writePolicies = (drafts: readonly Draft[]): string =>
  drafts
    .map(({ name, method, level, lead, review, packs, actual }) =>
      [name, method, level, lead, review, actual ? 'really' : packs ? 'packs' : 'any']
        .map(encodeURIComponent)
        .join(FIELDS),
    )
    .join(POLICIES);

/** What the address says; nonsense means what is usual. */
export function readPolicies(text: string): readonly Draft[] {
  try {
    const drafts = text.split(POLICIES).flatMap((one) => {
      const parts = one.split(FIELDS).map(decodeURIComponent);
      const [name = '', method = '', level = '', lead = '', review = '', how = ''] = parts;
      if (parts.length !== 6 || !['really', 'packs', 'any'].includes(how)) return [];
      const known = METHODS.some((each) => each === method) ? method : '';
      return how === 'really'
        ? [{ ...ACTUAL, name }]
        : [{ name, method: known, level, lead, review, packs: how === 'packs', actual: false }];
    });
    return drafts.length > 0 ? drafts.slice(0, MOST_POLICIES) : USUAL;
  } catch {
    return USUAL;
  }
}

/** Wrong fields by the names that the server gives them: `policies.1.serviceLevel`. */
export type Faults = Readonly<Record<string, string>>;

const whole = (text: string): number | null | undefined => {
  if (text.trim() === '') return undefined;
  const days = numberOf(text, 'whole');
  return days !== null && Number.isInteger(days) && days >= 0 ? days : null;
};

const share = (text: string): number | null | undefined => {
  if (text.trim() === '') return undefined;
  const read = numberOf(text, 'percent');
  return read === null ? null : Math.round(read * 1e4) / 1e6;
};

/** What is wrong with the policies, in the server's words. */
export function faultsOf(drafts: readonly Draft[]): Faults {
  const wrong: Record<string, string> = {};
  for (const [at, { name, level, lead, review, actual }] of drafts.entries()) {
    const check = (holds: boolean, field: string, words: string) => {
      if (!holds) wrong[`policies.${at}.${field}`] ??= words;
    };
    const twice = drafts.slice(0, at).some((other) => other.name.trim() === name.trim());
    check(name.trim() !== '', 'name', 'Give the policy a name.');
    check(name.trim().length <= MOST_NAME, 'name', `Use at most ${MOST_NAME} characters.`);
    check(!twice, 'name', 'Another policy has this name.');
    if (actual) continue;
    const aim = share(level);
    check(
      aim === undefined || (aim !== null && aim >= 0.5 && aim <= 0.9999),
      'serviceLevel',
      'Enter a service level from 50% to 99.99%.',
    );
    for (const [field, text] of [
      ['leadDays', lead],
      ['reviewDays', review],
    ] as const) {
      const days = whole(text);
      check(
        days === undefined || (days !== null && days <= MOST_DAYS),
        field,
        `Enter 0 to ${MOST_DAYS} days.`,
      );
    }
    check(!(whole(lead) === 0 && whole(review) === 0), 'reviewDays', 'Set lead and review days.');
  }
  return wrong;
}

const asked = ({ name, method, level, lead, review, packs, actual }: Draft): ReplayAsk =>
  actual
    ? { name: name.trim(), actual }
    : {
        name: name.trim(),
        ...(method && { method }),
        ...(share(level) != null && { serviceLevel: share(level) }),
        ...(whole(lead) != null && { leadDays: whole(lead) }),
        ...(whole(review) != null && { reviewDays: whole(review) }),
        ...(!packs && { packs }),
      };

/** The policies of a run as somebody would type them, to try them again. */
export const draftsOf = (policies: readonly ReplayAsk[]): Draft[] =>
  policies.map((one) =>
    one.actual
      ? { ...ACTUAL, name: one.name }
      : {
          name: one.name,
          method: one.method ?? '',
          level: one.serviceLevel == null ? '' : qty(Math.round(one.serviceLevel * 1e6) / 1e4),
          lead: one.leadDays == null ? '' : String(one.leadDays),
          review: one.reviewDays == null ? '' : String(one.reviewDays),
          packs: one.packs !== false,
          actual: false,
        },
  );

/** Stores, items and days as the address keeps them. */
export interface Ground {
  storeIds: readonly string[];
  itemIds: readonly string[];
  /** Empty where the service decides: the last quarter that sales are known of. */
  from: string;
  to: string;
}

const ids = (text: string) => text.split(',').filter(Boolean);

export function readGround(get: (name: string) => string): Ground {
  const [from, to] = [get('from'), get('to')];
  const range = isDay(from) && isDay(to) && from <= to;
  return {
    storeIds: ids(get('stores')),
    itemIds: ids(get('items')),
    from: range ? from : '',
    to: range ? to : '',
  };
}

/** As a run is asked. */
export function askOf({ storeIds, itemIds, from, to }: Ground, drafts: readonly Draft[]): Ask {
  return {
    ...(storeIds.length > 0 && { storeIds: [...storeIds] }),
    ...(itemIds.length > 0 && { itemIds: [...itemIds] }),
    ...(from && to && { from, to }),
    policies: drafts.map(asked),
  };
}
