import type { GuideItem, Order, OrderLine } from '#/documents/orders';
import { suggestedIn } from '#/documents/suggestion';
import { today } from '#/ui/dates';
import { shortDay } from '#/ui/format';
import { faultOf, kindOfUnit, type NumberKind, numberOf, showNumber } from '#/ui/numberInput';
import { subjectOf } from '../orderSubject';
import type { BranchRecord, OrderDue, PlacedOrder } from '../types';

/** The input by product. Devices hold these: the names must not change. */
export interface OrderForm {
  op: string;
  draftId: string | null;
  lines: Record<string, string>;
  /** Missing until something is typed: what is saved stands then. */
  notes?: string;
  /** What taking all suggestions entered, by product, to undo it. */
  taken?: Record<string, string>;
}

export const emptyOrder = (): OrderForm => ({
  op: crypto.randomUUID(),
  draftId: null,
  lines: {},
});

/** An item with its ordered quantity, typed or saved before. */
export interface OrderRow {
  item: GuideItem;
  uomId: string;
  unit: string;
  whole: boolean;
  reads: NumberKind;
  text: string;
  qty: number;
  fault: string | null;
  /** The suggested quantity in its unit; null without one. */
  suggested: number | null;
}

/** Takes the suggestion of every row where nothing is entered, each in the row's unit. */
export function withSuggestions(form: OrderForm, rows: readonly OrderRow[]): OrderForm {
  const taken = Object.fromEntries(
    proposed(rows).map((row) => [row.item.productId, showNumber(row.suggested ?? 0, row.reads)]),
  );
  return { ...form, lines: { ...form.lines, ...taken }, taken: { ...form.taken, ...taken } };
}

/** The rows whose suggestion can be taken. */
export const proposed = (rows: readonly OrderRow[]) =>
  rows.filter(({ suggested, text }) => (suggested ?? 0) > 0 && text.trim() === '');

/** The products whose quantity is still the taken suggestion. */
export const stillTaken = ({ lines, taken = {} }: OrderForm) =>
  Object.keys(taken).filter((id) => lines[id] === taken[id]);

/** Takes back all taken suggestions; what was typed since stays. */
export function withoutSuggestions(form: OrderForm): OrderForm {
  const gone = new Set(stillTaken(form));
  const lines = Object.fromEntries(Object.entries(form.lines).filter(([id]) => !gone.has(id)));
  return { ...form, lines, taken: {} };
}

export function rowsOf(
  items: readonly GuideItem[],
  form: OrderForm,
  saved: Order | undefined,
): OrderRow[] {
  const before = new Map(saved?.lines.map((line) => [line.productId, line]));
  return items.map((item) => {
    const line = before.get(item.productId);
    const unit = item.units.find(({ uomId }) => uomId === (line?.uomId ?? item.uomId));
    const whole = unit?.whole ?? item.whole;
    const code = unit?.code ?? item.uomCode;
    const reads = kindOfUnit(code, whole);
    const text = form.lines[item.productId] ?? (line ? showNumber(line.qtyOrdered, reads) : '');
    const value = text.trim() ? numberOf(text, reads) : 0;
    const fault =
      value === null
        ? faultOf(text, reads, code)
        : value < 0
          ? 'Enter zero or more.'
          : whole && !Number.isInteger(value)
            ? `Enter a whole number: ${code} is not split.`
            : null;
    return {
      item,
      uomId: unit?.uomId ?? item.uomId,
      unit: code,
      whole,
      reads,
      text,
      qty: fault ? 0 : (value ?? 0),
      fault,
      suggested: suggestedIn(item, unit?.uomId ?? item.uomId),
    };
  });
}

/** A line of the order that another one is added to. */
type Known = Pick<OrderLine, 'productId' | 'uomId' | 'qtyOrdered'>;

/**
 * What is ordered, added to another order: to its saved lines, or to what was typed for it. Each quantity is in the unit
 * of that order's line.
 */
export function addedTo(
  rows: readonly OrderRow[],
  lines: readonly Known[],
  typed: Readonly<Record<string, string>> = {},
): Record<string, string> {
  const added: Record<string, string> = {};
  for (const { item, uomId, qty } of rows.filter((row) => row.qty > 0)) {
    const line = lines.find(({ productId }) => productId === item.productId);
    const from = item.units.find((unit) => unit.uomId === uomId);
    const to = item.units.find((unit) => unit.uomId === (line?.uomId ?? item.uomId)) ?? from;
    const reads = kindOfUnit(to?.code ?? item.uomCode, to?.whole ?? item.whole);
    const exact = (qty * (from?.factor ?? 1)) / (to?.factor ?? 1);
    const step = to?.whole ? 1 : 1000;
    const before = typed[item.productId];
    const known = before === undefined ? line?.qtyOrdered : numberOf(before, reads);
    const more = Math.ceil(exact * step - 1e-9) / step;
    added[item.productId] = showNumber(more + (known ?? 0), reads);
  }
  return added;
}

interface Finished {
  uid: string;
  storeId: string;
  due: OrderDue;
  rows: readonly OrderRow[];
  form: OrderForm;
  at: Date;
  /** Why it is asked for after the cut-off. */
  urgentReason?: string;
}

/** The source and day that a draft of the store is for. */
export const dueOf = (order: PlacedOrder): OrderDue => ({
  sourceType: order.sourceType ?? '',
  sourceId: order.sourceId ?? '',
  sourceName: order.sourceName ?? null,
  neededDate: order.neededDate,
  cutoffAt: order.cutoffAt ?? null,
  orderId: order.id,
  orderNo: order.orderNo,
  status: order.status,
});

/** The order to send. An urgent one for a day that is over is for today. */
export function orderRecord({
  uid,
  storeId,
  due,
  rows,
  form,
  at,
  urgentReason,
}: Finished): BranchRecord {
  const ordered = rows.filter(({ qty }) => qty > 0);
  const { sourceType, sourceId } = due;
  const now = today(at);
  const neededDate = urgentReason && due.neededDate < now ? now : due.neededDate;
  return {
    v: 1,
    op: form.op,
    uid,
    storeId,
    kind: 'order',
    title: `${due.sourceName ?? 'Kitchen'} for ${shortDay(neededDate)}`,
    at: at.toISOString(),
    base: '/api/stores/orders',
    body: {
      storeId,
      sourceType,
      sourceId,
      neededDate,
      ...(urgentReason && { urgentReason }),
      ...(form.notes !== undefined && { notes: form.notes }),
      lines: ordered.map(({ item, uomId, qty }) => ({ productId: item.productId, uomId, qty })),
    },
    draftId: form.draftId ?? (due.status === 'draft' ? (due.orderId ?? null) : null),
    step: 'submit',
    photos: [],
    lineNames: ordered.map(({ item }) => item.name),
    subject: subjectOf(due),
    form,
  };
}
