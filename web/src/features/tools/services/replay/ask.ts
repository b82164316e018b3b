// The next replay's parameters, on the page and for the server.
import { isDay } from '#/ui/dates';
import { inFull } from '#/ui/format';
import { METHODS } from '#/ui/methods';
import { numberOf } from '#/ui/numberInput';
import type { Ask, ReplayAsk } from '../api';

/** A policy being typed. */
export interface Draft {
  name: string;
  /** The server's name; '' for the default. */
  method: string;
  /** In percent. */
  level: string;
  /** Days; '' for each product's own. */
  lead: string;
  review: string;
  packs: boolean;
  /** The actual orders instead of a policy. */
  actual: boolean;
}

export const USUAL_METHOD = 'dow_ma';
export const USUAL_LEVEL = 0.95;
export const MOST_POLICIES = 12;
const MOST_NAME = 60;
const MOST_DAYS = 28;

/** Averages of past days; other methods fit a model every week, which takes time. */
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

/** The default comparison: the actual orders, and three service levels. */
export const USUAL: readonly Draft[] = [ACTUAL, policy('90'), policy('95'), policy('99')];

/** One more, with an unused name. */
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

/** Parses the address; invalid values become the defaults. */
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

/** Invalid fields by their server names: `policies.1.serviceLevel`. */
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

/** The policies' errors, in the server's words. */
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

/** A run's policies as editable drafts, to try them again. */
export const draftsOf = (policies: readonly ReplayAsk[]): Draft[] =>
  policies.map((one) =>
    one.actual
      ? { ...ACTUAL, name: one.name }
      : {
          name: one.name,
          method: one.method ?? '',
          level: one.serviceLevel == null ? '' : inFull(Math.round(one.serviceLevel * 1e6) / 1e4),
          lead: one.leadDays == null ? '' : String(one.leadDays),
          review: one.reviewDays == null ? '' : String(one.reviewDays),
          packs: one.packs !== false,
          actual: false,
        },
  );

/** Stores, items and days in the address. */
export interface Ground {
  storeIds: readonly string[];
  itemIds: readonly string[];
  /** Empty for the service's default: the last quarter with known sales. */
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

/** The parameters to send. */
export function askOf({ storeIds, itemIds, from, to }: Ground, drafts: readonly Draft[]): Ask {
  return {
    ...(storeIds.length > 0 && { storeIds: [...storeIds] }),
    ...(itemIds.length > 0 && { itemIds: [...itemIds] }),
    ...(from && to && { from, to }),
    policies: drafts.map(asked),
  };
}
