// Where a question in plain words leads: the server parses it, this file maps it to pages.
import type { components } from '#/api/schema.gen';
import { can, type Me } from '#/api/session';
import { type PageKey, pages, spec } from '#/paths';
import { namedRanges } from '#/reports/question/ranges';
import { span } from '#/reports/question/weeks';

export type Question = components['schemas']['AskedQuestion'];
type Topic = Question['topic'];

/** A page that answers, with its parameters. */
export interface Answer {
  key: string;
  title: string;
  /** What was understood, and what was not. */
  note: string;
  path: string;
}

interface Way {
  page: PageKey;
  /** Whether it answers questions about an item, without one, or both. */
  items?: 'only' | 'none';
  search(question: Question): Record<string, string | undefined>;
}

const ids = (records: readonly { id: string }[]) =>
  records.map(({ id }) => id).join(',') || undefined;
const one = ({ stores }: Question) => stores[0]?.id;
const days = ({ days: asked }: Question) =>
  !asked ? {} : asked.named ? { range: asked.named } : { from: asked.from, to: asked.to };
/** For pages without named ranges. */
const dates = ({ days: asked }: Question) => (asked ? { from: asked.from, to: asked.to } : {});
const q = ({ items }: Question) => items?.q;

const report =
  (more: Record<string, string> = {}) =>
  (question: Question) => ({
    ...days(question),
    stores: ids(question.stores),
    areas: ids(question.areas),
    q: q(question),
    ...more,
  });
const documents = (question: Question) => ({
  storeId: one(question),
  ...dates(question),
});
const tills = (question: Question) => ({ ...dates(question), stores: ids(question.stores) });

/** The pages for each topic, the best first. */
const WAYS: Record<Topic, readonly Way[]> = {
  sales: [
    { page: 'reportProductSalesByStore', search: report({ measure: 'net' }) },
    { page: 'reportSmbcd', items: 'none', search: report() },
    { page: 'reportSalesByRootItems', items: 'only', search: report() },
  ],
  mix: [{ page: 'reportSmbcd', search: report() }],
  terminals: [{ page: 'reportSalesTerminal', search: report() }],
  tickets: [{ page: 'toolsTransactionInsights', search: report() }],
  growth: [{ page: 'reportSalesComparison', search: report() }],
  usage: [
    { page: 'reportSalesByRootItems', search: report() },
    { page: 'reportWeeklyRootItemSales', search: report() },
  ],
  movement: [{ page: 'reportRootItemMovement', search: report() }],
  waste: [
    { page: 'reportRootItemMovement', search: report() },
    { page: 'storesTransactions', search: (asked) => ({ tab: 'waste', ...documents(asked) }) },
  ],
  counts: [{ page: 'reportCountCompliance', search: report() }],
  variance: [{ page: 'reportCountVariance', search: report() }],
  stock: [{ page: 'storesInventory', search: (asked) => ({ store: one(asked), q: q(asked) }) }],
  orders: [{ page: 'storesOrders', search: documents }],
  deliveries: [{ page: 'commissaryDeliveries', search: documents }],
  receipts: [{ page: 'storesReceive', search: documents }],
  transfers: [
    { page: 'storesTransactions', search: (asked) => ({ tab: 'transfers', ...documents(asked) }) },
  ],
  tenders: [{ page: 'salesTenderReport', search: tills }],
  readings: [
    { page: 'salesZReading', search: (asked) => ({ storeId: one(asked), ...dates(asked) }) },
  ],
  cmsr: [
    {
      page: 'salesCmsr',
      search: (asked) => ({
        store: one(asked),
        month: asked.days?.from.slice(0, 7),
      }),
    },
  ],
  forecast: [{ page: 'toolsForecastAccuracy', search: report() }],
  plan: [{ page: 'dashboardDrpNew', search: (asked) => ({ store: one(asked), q: q(asked) }) }],
  foodCost: [{ page: 'reportFoodCost', search: report() }],
  occupancy: [{ page: 'reportOccupancy', search: report() }],
  performance: [{ page: 'reportStoreScorecard', search: report() }],
};

/** The pages that answer a question and that the user may open, the best first. */
export function answersTo(question: Question, me: Me): Answer[] {
  const about = question.items ? 'none' : 'only';
  return WAYS[question.topic]
    .filter(({ page, items }) => items !== about && spec(page).built && can(me, spec(page).can))
    .map(({ page, search }) => ({
      key: `question ${page}`,
      title: spec(page).label,
      note: understood(question),
      path: withSearch(pages[page].path, search(question)),
    }));
}

function withSearch(path: string, search: Record<string, string | undefined>): string {
  const params = new URLSearchParams();
  for (const [name, value] of Object.entries(search)) if (value) params.set(name, value);
  const text = params.toString();
  return text ? `${path}?${text}` : path;
}

/** «Makati Ayala, Makati Glorietta · chicken · Last week», then what was not understood. */
export function understood({ stores, areas, items, days: asked, unknown }: Question): string {
  const places = [...areas, ...stores].map(({ name }) => name);
  const named = asked?.named && namedRanges.find(({ id }) => id === asked.named)?.label;
  const parts = [
    places.length > 3
      ? `${places.slice(0, 2).join(', ')} and ${places.length - 2} more`
      : places.join(', '),
    items ? (items.name ?? `“${items.q}”`) : '',
    asked ? (named ?? span(asked)) : '',
    unknown.length > 0 ? `not understood: ${unknown.join(', ')}` : '',
  ];
  return parts.filter(Boolean).join(' · ');
}
