// Shares: previewed, set by hand and explained.
import { inFull, plural, pluralQty, qty } from '#/ui/format';
import type { SharedLine, SharedOut, SharedProduct, Store } from '../kitchenOrders';
import { between, exact, inUnit, placeOf, type Row, type StoreCell, seen } from './figures';

export type Method = 'proportional' | 'equalCover';

/** A store's share of a product, in the product's unit. */
export interface CellShare {
  wanted: number;
  share: number;
  byHand: boolean;
  lines: readonly SharedLine[];
}

export interface Shares {
  /** By product. */
  products: ReadonlyMap<string, SharedProduct>;
  /** By cell. */
  cells: ReadonlyMap<string, CellShare>;
}

export const NO_SHARES: Shares = { products: new Map(), cells: new Map() };

/** The preview of some products, by cell; `before` applies to the others. */
export function sharesOf(
  rows: ReadonlyMap<string, Row>,
  answer: SharedOut | undefined,
  before: Shares = NO_SHARES,
): Shares {
  if (!answer) return before;
  const products = new Map(before.products);
  const cells = new Map(before.cells);
  for (const product of answer.products) {
    const row = rows.get(product.productId);
    if (!row) continue;
    products.set(row.id, product);
    const lines = new Map(product.lines.map((line) => [line.orderLineId, line]));
    for (const cell of row.cells.values()) {
      const of = cell.lines.flatMap(({ orderLineId, factor }) => {
        const line = lines.get(orderLineId);
        return line ? [{ line, factor }] : [];
      });
      if (of.length === 0) continue;
      const sum = (read: (line: SharedLine) => number) =>
        exact(
          of.reduce((all, { line, factor }) => all + between(read(line), factor, row.factor), 0),
        );
      cells.set(cell.key, {
        wanted: sum(({ wanted }) => wanted),
        share: sum(({ share }) => share),
        byHand: of.some(({ line }) => line.byHand),
        lines: of.map(({ line }) => line),
      });
    }
  }
  return { products, cells };
}

export interface HandLine {
  orderLineId: string;
  qty: number;
}

export interface Decided {
  lines: HandLine[];
  /** The cell of each line. */
  cells: string[];
  products: string[];
}

/**
 * Typed shares as lines: a store's earlier order is filled first. Invalid shares and those above the ordered quantity
 * are skipped.
 */
export function decide(
  rows: ReadonlyMap<string, Row>,
  all: Shares,
  typed: readonly { cell: string; value: number | null }[],
): Decided {
  const decided: Decided = { lines: [], cells: [], products: [] };
  const products = new Set<string>();
  for (const { cell: key, value } of typed) {
    const { productId, storeId } = placeOf(key);
    const row = rows.get(productId);
    const cell = row?.cells.get(storeId);
    const share = all.cells.get(key);
    if (value === null || !row || !cell || !share) continue;
    if (wrong(value, share.wanted, row.uomCode)) continue;
    products.add(row.id);
    let left = value;
    for (const { orderLineId, factor } of cell.lines) {
      const line = share.lines.find((one) => one.orderLineId === orderLineId);
      if (!line) continue;
      const part = Math.min(left, between(line.wanted, factor, row.factor));
      left = exact(left - part);
      decided.lines.push({ orderLineId, qty: between(part, row.factor, factor) });
      decided.cells.push(key);
    }
  }
  decided.products.push(...products);
  return decided;
}

/** Why a number cannot be a store's share; null if it can. */
export function wrong(value: number, wanted: number, unit: string): string | null {
  if (Number.isNaN(value)) return 'Enter a number.';
  if (value < 0) return 'Enter 0 or more.';
  return value > wanted ? `At most ${inFull(wanted)} ${unit} were ordered.` : null;
}

/** The server's errors in lines, by cell; null if they are about something else. */
export function wrongCells(
  fields: readonly { field: string; message: string }[],
  cells: readonly string[],
): Map<string, string> {
  const found = new Map<string, string>();
  for (const { field, message } of fields) {
    const at = field.match(/^lines\.(\d+)\./)?.[1];
    const cell = at === undefined ? undefined : cells[Number(at)];
    if (cell) found.set(`${cell}/share`, message);
  }
  return found;
}

/** The remainder of a product after all shares, in its unit. */
export function leftOf(row: Row, shares: Shares): number | null {
  const product = shares.products.get(row.id);
  return product ? inUnit(product.available - product.given, row.factor) : null;
}

/** Explains a store's share. */
export function explain(row: Row, cell: StoreCell, shares: Shares, method: Method): string {
  const [product, share] = [shares.products.get(row.id), shares.cells.get(cell.key)];
  if (!product || !share) return '';
  const unit = row.uomCode;
  const of = `${qty(seen(share.share))} of ${qty(seen(share.wanted))} ${unit}`;
  if (share.wanted === 0) return 'Everything was sent already.';
  if (share.byHand) return `Changed by hand: ${of}.`;
  if (product.available >= product.wanted) return `${of}: there is enough for all stores.`;
  const others = fromOthers(row, product);
  const there = inUnit(others.available, row.factor);
  const wanted = inUnit(others.wanted, row.factor);
  const after = others.decided ? 'After what was decided by hand, ' : '';
  const lead = `${after}${qty(seen(there))} ${unit} for ${qty(seen(wanted))} ordered`;
  if (there >= wanted) return `${of}: ${lead}, enough.`;
  if (method === 'proportional') {
    const part = (share.wanted * there) / wanted;
    const percent = `${seen(Math.round((there / wanted) * 1000) / 10)}%`;
    const rounding =
      Math.abs(share.share - part) < 0.0005
        ? ''
        : share.share > part
          ? ', rounded up: its remainder is among the largest'
          : ', rounded down to whole packs';
    return `${of}: ${lead} is ${percent}; ${percent} of ${qty(seen(share.wanted))} is ${qty(seen(part))}${rounding}.`;
  }
  const [line] = share.lines;
  const use = inUnit(line?.dailyUse ?? 0, row.factor);
  if (use <= 0) return `${of}: ${lead}. No use is known here, so others come first.`;
  const has = inUnit(line?.position ?? 0, row.factor);
  const days = Math.max(0, Math.round(((has + share.share) / use) * 10) / 10);
  const aim = product.days == null ? '' : `; all stores should last ${dayCount(product.days)}`;
  return `${of}: has ${qty(seen(has))} ${unit} and uses ${qty(seen(use))} a day, so it lasts ${dayCount(days)}${aim}.`;
}

const dayCount = (days: number) => pluralQty(days, 'day');

/** What the undecided lines share among them, in base units. */
function fromOthers(row: Row, product: SharedProduct) {
  const factors = new Map<string, number>();
  for (const cell of row.cells.values())
    for (const { orderLineId, factor } of cell.lines) factors.set(orderLineId, factor);
  let { available, wanted } = product;
  let decided = false;
  for (const line of product.lines) {
    if (!line.byHand) continue;
    const factor = factors.get(line.orderLineId) ?? 1;
    decided = true;
    available -= line.share * factor;
    wanted -= line.wanted * factor;
  }
  return { available: Math.max(0, exact(available)), wanted: exact(wanted), decided };
}

/** What sharing changes and leaves short, a sentence per product. */
export const wordsOf = ({ products }: SharedOut): string[] =>
  products.flatMap(({ words }) => (words ? [words] : []));

/** Explains a share that is already in an order. */
export function explainGranted(row: Row, cell: StoreCell): string {
  const share = cell.shared;
  if (!share) return '';
  const there = `${qty(seen(inUnit(share.available, row.factor)))} of ${qty(seen(inUnit(share.wanted, row.factor)))} ${row.uomCode} were there`;
  if (share.method === 'byHand') return `Shared by hand; ${there}.`;
  if (share.method === 'equalCover')
    return `Shared for equal cover; ${there}${share.days == null ? '' : `, to last ${dayCount(share.days)}`}.`;
  return `Shared in proportion; ${there}.`;
}

/** All orders with their revisions as one text: identifies what a preview is based on. */
export const stampOf = (stores: readonly Store[]) =>
  stores.flatMap(({ orders }) => orders.map(({ id, revision }) => `${id}:${revision}`)).join();

/** New, changed and removed orders since sharing began, as text; null if none. */
export function meanwhile(before: readonly Store[], now: readonly Store[]): string | null {
  const list = (stores: readonly Store[]) =>
    new Map(stores.flatMap(({ orders }) => orders.map((order) => [order.id, order])));
  const [old, fresh] = [list(before), list(now)];
  const came = [...fresh.values()].filter(({ id }) => !old.has(id));
  const went = [...old.values()].filter(({ id }) => !fresh.has(id));
  const changed = [...fresh.values()].filter(({ id, revision }) => {
    const known = old.get(id);
    return known && known.revision !== revision;
  });
  const say = (list: readonly { orderNo: string }[], word: string) =>
    list.length === 0
      ? []
      : list.length > 3
        ? [`${plural(list.length, 'order')} ${word}`]
        : [`${list.map(({ orderNo }) => orderNo).join(', ')} ${word}`];
  const words = [
    ...say(came, 'came in'),
    ...say(changed, 'changed'),
    ...say(went, came.length + changed.length + went.length === 1 ? 'is gone' : 'went'),
  ];
  return words.length ? words.join('; ') : null;
}
