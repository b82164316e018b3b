import type { GuideItem, Order, OrderLine } from '#/documents/orders';
import { suggestedIn } from '#/documents/suggestion';
import { WhyButton } from '#/documents/WhyButton';
import type { GridModel } from '#/grid/model';
import type { GridColumn } from '#/grid/types';
import { CloseMark } from '#/stock/CloseMark';
import { DOT, day, money, qty } from '#/ui/format';
import { kindOfUnit } from '#/ui/numberInput';
import classes from '../Orders.module.css';

/** A product that can be ordered, with its order line. */
export interface GuideRow {
  id: string;
  item: GuideItem;
  line: OrderLine | undefined;
  /** Its order unit, cost, and factor to base units. */
  uomId: string;
  uomCode: string;
  price: number | null;
  factor: number;
  whole: boolean;
}

/** The guide's items by storage requirement, each with its line; lines that can no longer be ordered come last. */
export function rowsOf(items: readonly GuideItem[], order: Order): GuideRow[] {
  const lines = new Map(order.lines.map((line) => [line.productId, line]));
  const sorted = [...items].sort(
    (a, b) =>
      Number(!a.storageRequirement) - Number(!b.storageRequirement) ||
      (a.storageRequirement ?? '').localeCompare(b.storageRequirement ?? '') ||
      a.name.localeCompare(b.name),
  );
  return sorted.map((item) => {
    const line = lines.get(item.productId);
    const unit = item.units.find(({ uomId }) => uomId === (line?.uomId ?? item.uomId));
    return {
      id: item.productId,
      item,
      line,
      uomId: unit?.uomId ?? item.uomId,
      uomCode: unit?.code ?? item.uomCode,
      price: unit?.price ?? null,
      factor: unit?.factor ?? item.factor,
      whole: unit?.whole ?? item.whole,
    };
  });
}

/** The suggested quantity in the row's selected unit, saved or not; null without one. */
export const suggestionOf = (row: GuideRow, model: GridModel) =>
  suggestedIn(row.item, model.text(row.id, 'uom') ?? row.uomId);

/** The ordered quantity of a row. */
export const orderedOf = (row: GuideRow, model: GridModel) =>
  model.number(row.id, 'qty', row.line?.qtyOrdered ?? null) ?? 0;

/** What taking all suggestions enters: the quantities that differ, each in its row's unit. */
export function suggestionsToTake(rows: readonly GuideRow[], model: GridModel) {
  return rows.flatMap((row) => {
    const suggested = suggestionOf(row, model);
    return suggested === null || suggested === orderedOf(row, model)
      ? []
      : [{ row: row.id, column: 'qty', text: String(suggested) }];
  });
}

/** The lines to save, and their rows, in the same order. */
export function linesOf(rows: readonly GuideRow[], model: GridModel) {
  const lines: object[] = [];
  const ids: string[] = [];
  for (const row of rows) {
    const typed = model.text(row.id, 'qty');
    const value = model.number(row.id, 'qty', row.line?.qtyOrdered ?? null);
    if (value === null || value === 0) continue;
    const uomId = model.text(row.id, 'uom') ?? row.uomId;
    const quantity = Number.isNaN(value) ? typed : value;
    lines.push({ id: row.line?.id, productId: row.item.productId, uomId, qty: quantity });
    ids.push(row.id);
  }
  return { lines, ids };
}

/** The error in a typed quantity. */
export function checkQuantity(value: number | null, row: { whole: boolean; uomCode: string }) {
  if (value === null || value === 0) return null;
  if (value < 0) return 'Enter a quantity above zero.';
  if (row.whole && !Number.isInteger(value)) {
    return `Enter a whole number: ${row.uomCode} is not split.`;
  }
  return null;
}

export function guideColumns(model: GridModel, rows: readonly GuideRow[]): GridColumn<GuideRow>[] {
  const stock = (
    id: 'onHand' | 'inTransit' | 'inTransitLater' | 'onOrder' | 'later' | 'short',
    label: string,
  ): GridColumn<GuideRow> => ({
    id,
    label,
    width: 92,
    right: true,
    phone: id === 'onHand' ? 'sub' : 'none',
    cell: ({ item }) =>
      id === 'onHand' && item.close > 0 ? (
        <>
          <CloseMark />
          {qty(item[id])}
        </>
      ) : (
        qty(item[id])
      ),
  });
  /** Most stores never have it: a column only where there is some. */
  const some = (id: 'inTransitLater' | 'later' | 'short', label: string) =>
    rows.some(({ item }) => item[id]) ? [stock(id, label)] : [];
  /** The row's selected unit, saved or not. */
  const unitOf = (row: GuideRow): Pick<GuideRow, 'uomCode' | 'whole'> => {
    const id = model.text(row.id, 'uom');
    const unit = row.item.units.find(({ uomId }) => uomId === id);
    return unit ? { uomCode: unit.code, whole: unit.whole } : row;
  };
  const quantity = (row: GuideRow) => orderedOf(row, model);
  return [
    {
      id: 'name',
      label: 'Item',
      primary: true,
      cell: ({ item }) => (
        <span className={classes.name} title={item.name}>
          {item.name}
          {item.sku && <span className={classes.sku}>{item.sku}</span>}
        </span>
      ),
    },
    stock('onHand', 'On hand'),
    stock('inTransit', 'In transit'),
    ...some('inTransitLater', 'In transit, later'),
    stock('onOrder', 'On order'),
    ...some('later', 'Later'),
    ...some('short', 'Short'),
    {
      id: 'stockUnit',
      label: 'Unit',
      width: 56,
      phone: 'none',
      cell: ({ item }) => item.stockUnit ?? '',
    },
    {
      id: 'last',
      label: 'Last order',
      width: 130,
      right: true,
      phone: 'sub',
      cell: ({ item }) =>
        item.lastOrdered
          ? `${qty(item.lastOrdered.qty)}${DOT}${day(item.lastOrdered.date).slice(0, -5)}`
          : '–',
    },
    {
      id: 'average',
      label: 'Average',
      width: 80,
      right: true,
      phone: 'none',
      cell: ({ item }) =>
        item.averageOrdered == null ? '–' : qty(Math.round(item.averageOrdered * 10) / 10),
    },
    {
      id: 'suggested',
      label: 'Suggested',
      width: 92,
      right: true,
      phone: 'sub',
      cell: (row) => (
        <WhyButton
          text={qty(suggestionOf(row, model))}
          why={row.item.why}
          unit={row.item.stockUnit ?? ''}
        />
      ),
    },
    {
      id: 'qty',
      label: 'Order',
      width: 96,
      right: true,
      edit: {
        kind: 'number',
        unit: (row) => unitOf(row).uomCode,
        reads: (row) => kindOfUnit(unitOf(row).uomCode, unitOf(row).whole),
        value: ({ line }) => line?.qtyOrdered ?? null,
        check: (value, row) => checkQuantity(value, unitOf(row)),
        placeholder: (row) => {
          const suggested = suggestionOf(row, model);
          return suggested ? qty(suggested) : '';
        },
      },
    },
    {
      id: 'uom',
      label: 'Unit',
      width: 88,
      phone: 'none',
      cell: ({ uomCode }) => uomCode,
      edit: {
        kind: 'text',
        can: ({ item }) => item.units.length > 1,
        value: ({ uomId }) => uomId,
        options: ({ item }) => item.units.map(({ uomId, code }) => ({ value: uomId, label: code })),
      },
    },
    {
      id: 'price',
      label: 'Price',
      width: 92,
      right: true,
      phone: 'none',
      cell: ({ price }) => money(price),
    },
    {
      id: 'amount',
      label: 'Amount',
      width: 110,
      right: true,
      phone: 'none',
      cell: (row) => {
        const value = quantity(row);
        return value > 0 && row.price !== null ? money(value * row.price) : '–';
      },
      foot: () => {
        const cents = rows.reduce(
          (all, row) => all + Math.round(Math.max(0, quantity(row)) * (row.price ?? 0) * 100),
          0,
        );
        return money(cents / 100);
      },
    },
  ];
}
