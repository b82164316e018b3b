// The pages that answer each topic, the best first.
import { addDays, today } from '#/ui/dates';
import {
  buildDemand,
  buildDiscounts,
  buildDiscountsRead,
  buildFirst,
  buildOverTime,
  isTime,
} from './questionBuilder';
import {
  AGAINST,
  AREAS,
  by,
  COMPARED,
  COUNTED,
  DATED,
  DATES,
  day,
  MONTH,
  only,
  PAID,
  type Part,
  Q,
  type Question,
  RANGE,
  RANKED,
  rowsAs,
  STORES,
  sorted,
  storeAs,
  storesAs,
  TENDER,
  type Test,
  type Way,
  WITH_ITEM,
} from './questionParts';

type Topic = Question['topic'];

const REPORT = [RANGE, STORES, AREAS];
const ITEM_REPORT = [...REPORT, Q];
const AREA_ROWS = rowsAs({ area: 'area' });
/** A store's documents of some days. */
const DOCUMENTS = [storeAs('storeId'), DATES];
/** What a list of a store's days or documents names in its rows. */
const LISTED: Way['shows'] = ['store', 'day'];
/** What a report by item with a column for each store shows. */
const ITEM_ROWS: Way['shows'] = ['item', 'store'];

const OVER_TIME: Test = { uses: 'by', is: (asked) => isTime(asked.by) };
const AHEAD: Test = { uses: 'days', is: ({ days }) => Boolean(days && days.to > today()) };
const UNDATED: Test = { uses: 'days', is: ({ days }) => !days };
/** Planned in the year before today, if no days are named: a list shows two dates, not one. */
const OVERDUE: Part = {
  uses: ['days'],
  of: ({ days }) =>
    days
      ? { from: days.from, to: days.to }
      : { from: addDays(today(), -365), to: addDays(today(), -1) },
};

/** Stores in the order of a figure. */
const bestStores = (column: string): Way => ({
  page: 'reportStoreScorecard',
  when: [RANKED, by('store')],
  parts: [...REPORT, sorted(column)],
});
const insights = (...when: Test[]): Way => ({
  page: 'toolsTransactionInsights',
  when,
  parts: [...REPORT, AGAINST],
  shows: ['store', 'hour', 'weekday'],
});
const comparison = (...when: Test[]): Way => ({
  page: 'reportSalesComparison',
  when,
  parts: [...REPORT, AREA_ROWS],
  shows: ['store'],
});
const tenderReport = (which: string | undefined, ...when: Test[]): Way => ({
  page: 'salesTenderReport',
  when,
  parts: [DATES, STORES, TENDER],
  fixed: { only: which },
  shows: ['store', 'day', 'tender'],
});
const readings = (state: string | undefined, ...when: Test[]): Way => ({
  page: 'salesZReading',
  when,
  parts: DOCUMENTS,
  fixed: { state },
  shows: LISTED,
});
const lots = (which: string | undefined, ...when: Test[]): Way => ({
  page: 'stockLots',
  when,
  parts: [storeAs('place', (id) => `store:${id}`), Q],
  fixed: { only: which },
});
const netsuite = (which: string | undefined, ...when: Test[]): Way => ({
  page: 'salesNetsuite',
  when,
  parts: [DATES, STORES],
  fixed: { only: which },
  shows: LISTED,
});
const documents = (page: Way['page'], fixed: Way['fixed'], ...when: Test[]): Way => ({
  page,
  when,
  parts: DOCUMENTS,
  fixed,
  shows: LISTED,
});
const AT_RISK: Way = {
  page: 'dashboardDrpNew',
  when: [only('atRisk', 'missing', 'short')],
  parts: [storeAs('store')],
  fixed: { tab: 'risk' },
};
const LOTS: readonly Way[] = [
  lots('recalled', only('recalled')),
  lots('soon', only('expiring')),
  { page: 'storesReceive', when: [only('recalled')] },
];
const RECEIVE_EXPECTED: Way = {
  page: 'storesReceive',
  when: [only('onTheWay', 'late')],
  parts: [storeAs('storeId')],
};

export const WAYS: Record<Topic, readonly Way[]> = {
  sales: [
    {
      page: 'toolsImportSales',
      when: [only('missing'), DATED],
      parts: [DATES, storesAs('storeIds')],
      shows: LISTED,
    },
    {
      page: 'toolsDailySalesCoverage',
      when: [only('missing')],
      parts: [MONTH, STORES],
      fixed: { only: 'gaps' },
      shows: LISTED,
    },
    {
      page: 'toolsImportSales',
      when: [only('missing')],
      parts: [storesAs('storeIds')],
      shows: LISTED,
    },
    buildFirst({ when: [COUNTED] }),
    bestStores('net'),
    {
      page: 'reportProductSalesByStore',
      when: [RANKED],
      parts: [...ITEM_REPORT, sorted('total')],
      fixed: { measure: 'net' },
      shows: ITEM_ROWS,
    },
    comparison(COMPARED),
    insights(by('hour')),
    { page: 'reportSalesTerminal', when: [by('till')], parts: REPORT },
    { page: 'reportSmbcd', when: [by('category', 'day')], parts: ITEM_REPORT },
    comparison(by('area')),
    tenderReport(undefined, by('tender')),
    buildOverTime({ when: [OVER_TIME] }),
    {
      page: 'reportProductSalesByStore',
      when: [by('store', 'item')],
      parts: ITEM_REPORT,
      fixed: { measure: 'net' },
    },
    {
      page: 'reportProductSalesByStore',
      parts: ITEM_REPORT,
      fixed: { measure: 'net' },
    },
    { page: 'reportSmbcd', items: 'none', parts: REPORT },
    { page: 'reportSalesByRootItems', items: 'only', parts: ITEM_REPORT },
  ],
  mix: [{ page: 'reportSmbcd', parts: ITEM_REPORT, shows: ['category', 'day'] }],
  terminals: [{ page: 'reportSalesTerminal', parts: REPORT, shows: ['till', 'store'] }],
  tickets: [bestStores('ticket'), insights(by('hour')), insights()],
  growth: [comparison()],
  discounts: [buildDiscountsRead, buildDiscounts],
  usage: [
    { page: 'reportSalesByRootItems', parts: ITEM_REPORT },
    { page: 'reportWeeklyRootItemSales', parts: ITEM_REPORT },
  ],
  movement: [{ page: 'reportRootItemMovement', parts: ITEM_REPORT, shows: ITEM_ROWS }],
  waste: [
    documents('storesTransactions', { tab: 'waste', status: 'submitted' }, only('toApprove')),
    bestStores('wasteShare'),
    { page: 'reportRootItemMovement', parts: ITEM_REPORT, shows: ITEM_ROWS },
    documents('storesTransactions', { tab: 'waste' }),
  ],
  counts: [
    {
      page: 'reportCountCompliance',
      when: [only('missing')],
      parts: REPORT,
      fixed: { sort: '-missing' },
      shows: LISTED,
    },
    {
      page: 'reportCountCompliance',
      when: [only('late')],
      parts: REPORT,
      fixed: { sort: '-late' },
      shows: LISTED,
    },
    { page: 'storesCount', when: [only('missing')], parts: [storeAs('store'), day('date')] },
    {
      page: 'storesCount',
      when: [only('held')],
      parts: [storeAs('store')],
      fixed: { held: '1' },
    },
    bestStores('countCompliance'),
    { page: 'reportCountCompliance', parts: REPORT, shows: LISTED },
  ],
  variance: [
    bestStores('variance'),
    { page: 'reportCountVariance', when: [by('item')], parts: ITEM_REPORT, fixed: { by: 'items' } },
    { page: 'reportCountVariance', parts: ITEM_REPORT, shows: ['store'] },
  ],
  stock: [AT_RISK, ...LOTS, { page: 'storesInventory', parts: [storeAs('store'), Q] }],
  lots: [...LOTS, lots(undefined)],
  orders: [
    documents('storesOrders', { status: 'submitted' }, only('toApprove')),
    {
      page: 'commissaryOrders',
      when: [only('short')],
      parts: [day('neededDate'), Q],
      fixed: { only: 'short' },
    },
    documents('storesOrders', {}),
  ],
  kitchen: [
    {
      page: 'commissaryOrders',
      when: [only('short')],
      parts: [day('neededDate'), Q],
      fixed: { only: 'short' },
    },
    { page: 'commissaryOrders', parts: [day('neededDate'), Q] },
  ],
  production: [{ page: 'commissaryProduction', parts: [DATES] }],
  deliveries: [
    documents('commissaryDeliveries', { status: 'dispatched' }, only('onTheWay')),
    {
      page: 'commissaryDeliveries',
      when: [only('late')],
      parts: [storeAs('storeId'), OVERDUE],
      fixed: { status: 'draft,picking,packed,dispatched' },
    },
    RECEIVE_EXPECTED,
    documents('commissaryDeliveries', {}),
    documents('storesReceive', {}),
  ],
  receipts: [
    documents('storesReceive', { undecided: 'true' }, only('differs')),
    documents('storesReceive', {}),
  ],
  transfers: [
    documents('storesTransactions', { tab: 'transfers', status: 'dispatched' }, only('onTheWay')),
    documents('storesTransactions', { tab: 'transfers' }),
  ],
  tenders: [
    tenderReport('missing', only('unpaid', 'missing')),
    tenderReport('late', only('late')),
    tenderReport('differs', only('differs')),
    tenderReport('undeclared', only('undeclared')),
    tenderReport(undefined, PAID),
    tenderReport(undefined),
  ],
  readings: [
    {
      page: 'salesZReading',
      when: [only('missing')],
      parts: [DATES, STORES],
      fixed: { view: 'calendar', only: 'missing' },
      shows: LISTED,
    },
    readings('needsReview', only('toVerify')),
    readings('disputed', only('disputed')),
    readings(undefined),
  ],
  cmsr: [{ page: 'salesCmsr', parts: [storeAs('store'), MONTH] }],
  netsuite: [
    netsuite('blocked', only('blocked')),
    netsuite('failed', only('failed')),
    netsuite(undefined),
  ],
  forecast: [
    buildDemand({ when: [AHEAD] }),
    buildDemand({ when: [WITH_ITEM, UNDATED] }),
    { page: 'toolsForecastAccuracy', parts: [storeAs('store'), DATES] },
  ],
  plan: [
    { page: 'dashboardDrpNew', items: 'only', parts: [storeAs('store'), Q] },
    { page: 'dashboardDrpNew', items: 'none', parts: [storeAs('store')] },
  ],
  foodCost: [
    {
      page: 'reportFoodCost',
      when: [WITH_ITEM],
      parts: ITEM_REPORT,
      fixed: { by: 'item' },
    },
    {
      page: 'reportFoodCost',
      when: [by('item', 'area')],
      parts: [...REPORT, rowsAs({ item: 'item', area: 'area' })],
    },
    { page: 'reportFoodCost', parts: REPORT, shows: ['store'] },
  ],
  occupancy: [{ page: 'reportOccupancy', parts: [...REPORT, AREA_ROWS], shows: ['store'] }],
  performance: [
    {
      page: 'reportStoreScorecard',
      when: [RANKED],
      parts: [...REPORT, sorted('net')],
      shows: ['store'],
    },
    { page: 'reportStoreScorecard', parts: [...REPORT, AREA_ROWS], shows: ['store'] },
  ],
};
