// Where a question in plain words leads: the server parses it, `questionWays.ts` maps it to pages.
import { can, type Me, mayOpen } from '#/api/session';
import { pages, spec } from '#/paths';
import { namedRanges } from '#/reports/question/ranges';
import { span } from '#/reports/question/weeks';
import type { By, Question, Slot, State, Way } from './questionParts';
import { WAYS } from './questionWays';

export type { Question } from './questionParts';

/** A page that answers, with its parameters. */
export interface Answer {
  key: string;
  title: string;
  /** What was understood, and what was not. */
  note: string;
  path: string;
}

const STATES: Readonly<Record<State, string>> = {
  missing: 'missing',
  unpaid: 'not in the bank',
  late: 'late',
  toVerify: 'to verify',
  disputed: 'disputed',
  differs: 'with differences',
  toApprove: 'to approve',
  short: 'short',
  atRisk: 'at risk',
  recalled: 'recalled',
  expiring: 'expiring soon',
  held: 'held',
  onTheWay: 'on the way',
  undeclared: 'not declared',
  blocked: 'blocked',
  failed: 'failed',
};

const BREAKDOWNS: Readonly<Record<By, string>> = {
  store: 'by store',
  area: 'by area',
  item: 'by item',
  category: 'by category',
  till: 'by till',
  tender: 'by tender',
  hour: 'by hour',
  weekday: 'by weekday',
  day: 'by day',
  week: 'by week',
  month: 'by month',
};

const DISCOUNTS: Readonly<Record<NonNullable<Question['discount']>, string>> = {
  senior: 'senior discount',
  pwd: 'PWD discount',
  soloParent: 'solo parent discount',
  naac: 'athletes’ discount',
  valor: 'Medal of Valor discount',
  employee: 'employee discount',
  vip: 'VIP discount',
  promo: 'promo discount',
};

const TENDERS: Readonly<Record<string, string>> = {
  cash: 'cash',
  card: 'card',
  eWallet: 'e-wallet',
  voucher: 'voucher',
  onAccount: 'on account',
};

/** How a way is used for a question. */
interface Used {
  search: URLSearchParams;
  /** What the page takes from the question. */
  slots: ReadonlySet<Slot>;
}

/** The pages that answer a question and that the user may open, the best first. */
export function answersTo(question: Question, me: Me): Answer[] {
  const about = question.items ? 'none' : 'only';
  const open = WAYS[question.topic].filter(
    ({ page, items, needs }) => items !== about && mayOpen(me, page) && (!needs || can(me, needs)),
  );
  const fitting = open.filter(({ when }) => when?.every(({ is }) => is(question)) ?? true);
  // A way to exactly this question comes before those to its topic, which it replaces.
  const [best] = fitting.filter(({ when }) => when?.length);
  const ways = best
    ? fitting.filter(({ when }) => when?.[0]?.uses === best.when?.[0]?.uses)
    : fitting;
  const seen = new Set<string>();
  return ways.flatMap((way) => {
    if (seen.has(way.page)) return [];
    seen.add(way.page);
    const { search, slots } = use(way, question);
    const text = search.toString();
    return {
      key: `question ${way.page}`,
      title: spec(way.page).label,
      note: understood(question, slots),
      path: text ? `${pages[way.page].path}?${text}` : pages[way.page].path,
    };
  });
}

function use(way: Way, question: Question): Used {
  const search = new URLSearchParams();
  const slots = new Set<Slot>(way.when?.map(({ uses }) => uses));
  const put = (params: Readonly<Record<string, string | undefined>>) => {
    const given = Object.entries(params).filter((one): one is [string, string] => Boolean(one[1]));
    for (const [name, value] of given) search.set(name, value);
    return given.length > 0;
  };
  for (const { of, uses } of way.parts ?? []) {
    if (put(of(question))) for (const slot of uses) slots.add(slot);
  }
  if (question.by && way.shows?.includes(question.by)) slots.add('by');
  put(way.fixed ?? {});
  return { search, slots };
}

/** What a question says, by kind, in the order of a sentence. */
function said(question: Question): [Slot, string][] {
  const { stores, areas, items, days, only, by, rank, discount, tender, against } = question;
  const named = days?.named && namedRanges.find(({ id }) => id === days.named)?.label;
  const all: [Slot, string][] = [
    ['areas', names(areas)],
    ['stores', names(stores)],
    ['items', items ? (items.name ?? `“${items.q}”`) : ''],
    ['tender', tender ? (TENDERS[tender] ?? tender) : ''],
    ['discount', discount ? DISCOUNTS[discount] : ''],
    ['only', only ? STATES[only] : ''],
    ['rank', rank ? [rank.end, rank.count].filter(Boolean).join(' ') : ''],
    ['by', by ? BREAKDOWNS[by] : ''],
    ['days', days ? (named ?? span(days)) : ''],
    [
      'against',
      against === 'yearBefore'
        ? 'against the year before'
        : against
          ? 'against the days before'
          : '',
    ],
  ];
  return all.filter(([, text]) => text);
}

const names = (records: readonly { name: string }[]) =>
  records.length > 3
    ? `${records
        .slice(0, 2)
        .map(({ name }) => name)
        .join(', ')} and ${records.length - 2} more`
    : records.map(({ name }) => name).join(', ');

/**
 * «Makati Ayala, Makati Glorietta · chicken · Last week», then what the page leaves out and what was not understood.
 * `slots` is what the page takes; all of it without.
 */
export function understood(question: Question, slots?: ReadonlySet<Slot>): string {
  const all = said(question);
  const taken = (slot: Slot) => !slots || slots.has(slot);
  const left = all.filter(([slot]) => !taken(slot)).map(([, text]) => text);
  const parts = [
    ...all.filter(([slot]) => taken(slot)).map(([, text]) => text),
    left.length > 0 ? `not on this page: ${left.join(', ')}` : '',
    question.unknown.length > 0 ? `not understood: ${question.unknown.join(', ')}` : '',
  ];
  return parts.filter(Boolean).join(' · ');
}
