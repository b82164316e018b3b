// The replenishment plan as the server sends it.

/** A figure of a plan, its day and its source. */
export interface Why {
  figure: string;
  value: number;
  unit?: string | null;
  date: string | null;
  source: string;
}

export interface PlanLine {
  id: string;
  storeId: string;
  productId: string;
  name: string;
  sku: string | null;
  rootItemId: string;
  /** The unit of all figures but `suggested`. */
  unit: string | null;
  uomId: string;
  uomCode?: string | null;
  factor: number;
  /** Forecast use until the delivery after next. */
  forecast: number;
  safetyStock: number;
  target: number;
  onHand: number;
  /** What of it is expired or recalled: does not count. */
  unusable: number;
  /** Lines close to the last count that nobody had answered about. */
  close: number;
  inTransit: number;
  /** What of `inTransit` comes with the next delivery or later; it does not count. */
  inTransitLater: number;
  onOrder: number;
  committed: number;
  /** Expected use since the last known sales, on this many days. */
  estimatedUse: number;
  estimatedDays: number;
  /** Due, but with the next delivery or later; ordered, but on no delivery. Neither counts. */
  later: number;
  short: number;
  position: number;
  pack: number;
  /** In whole `uomId`. */
  suggested: number;
  coverDays: number | null;
  stockOutDate: string | null;
  /** Whether it runs out before an order placed today can arrive. */
  atRisk: boolean;
  caps: string[];
  neededDate: string | null;
  /** By a delivery calendar: the delivery until which the order has to last. */
  nextDate: string | null;
  /** The first days before `nextDate` that end below zero. */
  outWithoutOrder: string | null;
  outWithOrder: string | null;
  /** These days as sentences. */
  outlook: string | null;
  sourceType: string | null;
  sourceId: string | null;
  amount: number | null;
  why: Why[];
  orderId: string | null;
  note: string | null;
}

export interface Plan {
  planRunId: string | null;
  date: string;
  madeAt: string | null;
  /** Why the figures are outdated. */
  stale: string | null;
  lines: PlanLine[];
  notes: { storeId: string; why: string }[];
}

export interface StorePlan {
  storeId: string;
  lines: number;
  toOrder: number;
  amount: number | null;
  atRisk: number;
  capped: number;
  note: string | null;
  orders: { id: string; number: string; state: string }[];
}

export interface StorePlans {
  planRunId: string | null;
  date: string;
  madeAt: string | null;
  items: StorePlan[];
}

export interface Heat {
  dates: string[];
  rows: {
    productId: string;
    rootItemId: string;
    unit: string | null;
    stock: (number | null)[];
    outOn: string | null;
  }[];
}

export interface PhasedGrid {
  unit: string | null;
  dates: string[];
  gross: number[];
  scheduled: number[];
  onHand: number[];
  net: number[];
  receipts: number[];
  releases: number[];
  /** Orders that should have been placed before the first day. */
  pastDue: { date: string; qty: number }[];
  pack: number;
  leadDays: number;
  safetyStock: number;
  /** By a delivery calendar: the delivery until which the order has to last, and all that can be ordered for. */
  nextDate: string | null;
  deliveryDates: string[] | null;
  /** Of a store: stock at the end of each day without the suggested order, and with it alone. */
  withoutOrder: number[];
  withOrder: number[];
  /** Of a store with a delivery calendar: these figures up to the next delivery, as sentences. */
  outlook: string | null;
  children: { storeId: string; releases: number[] }[];
}

export interface Kitchen {
  dates: string[];
  products: {
    productId: string;
    unit: string | null;
    /** Of open store orders: cut + approved. */
    ordered: number;
    cut: number;
    /** Sent + to send + closed short. */
    approved: number;
    sent: number;
    closedShort: number;
    /** What is still to be sent of store orders: covered + short. */
    toSend: number;
    covered: number;
    short: number;
    /** What to buy if no recipe makes it. */
    toBuy?: { qty: number; unit: string } | null;
    net: number[];
    batches: (number | null)[];
    recipeId: string | null;
    yield: number | null;
  }[];
  ingredients: {
    rootItemId: string;
    productId: string | null;
    unit: string | null;
    needed: number;
    onHand: number | null;
    toBuy: number;
    /** The same of the product, in the unit it is ordered in. */
    order?: { qty: number; unit: string } | null;
    /** The products it goes into. */
    goesInto: string[];
  }[];
}

export interface Rule {
  id: string;
  storeId: string | null;
  categoryId: string | null;
  productId: string | null;
  serviceLevel: number | null;
  min: number | null;
  max: number | null;
  reviewDays: number | null;
  leadDays: number | null;
  shelfLifeDays: number | null;
  method: string | null;
  /** Of several products with a root item the lowest comes first. */
  priority?: number | null;
  /** A product's share of the root item's need. */
  percent?: number | null;
  revision: number;
}

export interface Effective {
  field: string;
  value: number | string | null;
  from: 'default' | 'category' | 'product' | 'store' | 'storeProduct' | 'location';
  ruleId: string | null;
}

export interface Settings {
  rules: Rule[];
  effective: Effective[];
}

export interface MadeOrders {
  orders: { id: string; number: string; storeId: string; lines: number }[];
  skipped: { lineId: string; why: string }[];
}
