// The sheet of a stock-take: the server's lines, with what this device has not sent yet on top.
import type { Differences, StockTakeLine } from '#/documents/stockTakes';
import { count, plural, signedMoney } from '#/ui/format';
import type { TakeEntry } from '../takeQueue';

export interface SheetRow {
  /** Product and lot, which name a line also before the server has it. */
  key: string;
  /** Absent until the server has the line. */
  lineId?: string;
  productId: string;
  sku: string;
  name: string;
  /** Empty: what has no lot. */
  lot: string;
  expiry: string | null;
  uomId: string;
  uomCode: string;
  factor: number | null;
  area: string;
  counted: number | null;
  countedBy: string;
  note: string;
  /** Waits on this device. */
  waiting: boolean;
}

export interface Area {
  id: string;
  label: string;
  lines: number;
  /** Lines without a number. */
  open: SheetRow[];
}

export const NO_AREA = 'Without an area';

export const rowKey = (productId: string, lot: string | null | undefined) =>
  `${productId}|${lot ?? ''}`;

/** What names a row for people. */
export const rowName = ({ name, lot }: Pick<SheetRow, 'name' | 'lot'>) =>
  lot ? `${name}, lot ${lot}` : name;

const ofLine = (line: StockTakeLine): SheetRow => ({
  key: rowKey(line.productId, line.lot),
  lineId: line.id,
  productId: line.productId,
  sku: line.sku ?? '',
  name: line.name,
  lot: line.lot ?? '',
  expiry: line.expiry ?? null,
  uomId: line.uomId,
  uomCode: line.uomCode,
  factor: line.factor,
  area: line.area ?? '',
  counted: line.counted ?? null,
  countedBy: line.countedBy ?? '',
  note: line.note ?? '',
  waiting: false,
});

const ofEntry = (entry: TakeEntry): SheetRow => ({
  key: rowKey(entry.productId, entry.lot),
  productId: entry.productId,
  sku: '',
  name: entry.name,
  lot: entry.lot ?? '',
  expiry: null,
  uomId: entry.uomId,
  uomCode: entry.uomCode,
  factor: null,
  area: entry.area ?? '',
  counted: null,
  countedBy: '',
  note: '',
  waiting: true,
});

/** The rows in sheet order: added lots follow their product, added products come at the end of their area. */
export function rowsOf(lines: readonly StockTakeLine[], waiting: readonly TakeEntry[]): SheetRow[] {
  const rows = lines.map(ofLine);
  const at = new Map(rows.map((row) => [row.key, row]));
  for (const entry of waiting) {
    const key = rowKey(entry.productId, entry.lot);
    const row = at.get(key) ?? ofEntry(entry);
    if (!at.has(key)) rows.push(row);
    at.set(key, row);
    row.counted = entry.counted;
    if (row.uomId !== entry.uomId) row.factor = null;
    row.uomId = entry.uomId;
    row.uomCode = entry.uomCode;
    if (entry.expiry) row.expiry = entry.expiry;
    if (entry.note !== undefined) row.note = entry.note;
    row.waiting = true;
  }
  return inOrder(rows);
}

/** Areas and products in the order in which each first comes; lines without an area last. */
function inOrder(rows: readonly SheetRow[]): SheetRow[] {
  const areas = new Map<string, Map<string, SheetRow[]>>();
  for (const row of rows) {
    const products = areas.get(row.area) ?? new Map<string, SheetRow[]>();
    areas.set(row.area, products);
    products.set(row.productId, [...(products.get(row.productId) ?? []), row]);
  }
  const named = [...areas].sort(([a], [b]) => Number(a === '') - Number(b === ''));
  return named.flatMap(([, products]) => [...products.values()].flat());
}

export function areasOf(rows: readonly SheetRow[]): Area[] {
  const areas = new Map<string, Area>();
  for (const row of rows) {
    const area = areas.get(row.area) ?? {
      id: row.area,
      label: row.area || NO_AREA,
      lines: 0,
      open: [],
    };
    areas.set(row.area, area);
    area.lines += 1;
    if (row.counted === null) area.open.push(row);
  }
  return [...areas.values()];
}

export const countedOf = (rows: readonly SheetRow[]) =>
  rows.filter(({ counted }) => counted !== null).length;

/** Ledger, difference and worth of a row, in its unit. A row that waits or whose unit changed has none yet. */
export interface RowDifference {
  book: number;
  difference: number | null;
  worth: number | null;
}

/** A row of which the ledger has less than nothing, and that nobody counted. */
export interface BelowZeroRow {
  row: SheetRow;
  book: number;
}

export const belowZeroOf = (
  rows: readonly SheetRow[],
  differences: ReadonlyMap<string, RowDifference> | null,
): BelowZeroRow[] =>
  rows.flatMap((row) => {
    const book = differences?.get(row.key)?.book ?? 0;
    return row.counted === null && book < 0 ? [{ row, book }] : [];
  });

/** What posting does, in a few words: how much is counted, how much of it differs, and what that is worth. */
export function postText(
  rows: readonly SheetRow[],
  differences: ReadonlyMap<string, RowDifference> | null,
  worth: number | null,
): string {
  const counted = rows.filter(({ counted }) => counted !== null);
  const differ = counted.filter(({ key }) => differences?.get(key)?.difference).length;
  const said = `${count(counted.length)} of ${plural(rows.length, 'line')} ${counted.length === 1 ? 'is' : 'are'} counted`;
  if (counted.length === 0) return `${said}.`;
  if (differ === 0) return `${said}, and none differs from the ledger.`;
  const inAll = worth === null ? '' : `, worth ${signedMoney(worth)} in all`;
  return `${said}. ${count(differ)} ${differ === 1 ? 'differs' : 'differ'} from the ledger${inAll}.`;
}

export function differencesOf(
  rows: readonly SheetRow[],
  differences: Differences | undefined,
): ReadonlyMap<string, RowDifference> {
  const byLine = new Map(differences?.lines.map((line) => [line.lineId, line]));
  const found = new Map<string, RowDifference>();
  for (const row of rows) {
    const line = row.lineId ? byLine.get(row.lineId) : undefined;
    if (!line || !row.factor) continue;
    const { factor } = row;
    const inUnit = (base: number) => Math.round((base / factor) * 1e6) / 1e6;
    found.set(row.key, {
      book: inUnit(line.book),
      difference: row.waiting || line.difference === null ? null : inUnit(line.difference),
      worth: row.waiting ? null : line.worth,
    });
  }
  return found;
}
