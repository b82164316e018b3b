// The figure at the head of its parts, in the measure of the report that it was opened from.
import { money, plural, qty } from '#/ui/format';

/** All parts of a figure: their sum, and how many they are. */
export interface WholeFigure {
  qty: number;
  total: number;
  /** In pesos; null for a root item. */
  net?: number | null;
}

/** What a quantity is worth one of; a missing price is null. */
export interface Priced {
  /** In pesos for one of the unit. */
  price: number | null;
  unit: string | null;
}

export interface InMeasure {
  /** The report's figures are net sales. */
  inNet?: boolean;
  priced?: Priced | null;
}

/** «₱1,250.00 net from 3 entries», «2.5 kg × ₱120.00 = ₱300.00 from 3 entries» or «12 from 3 entries». */
export function headOf(whole: WholeFigure, { inNet, priced }: InMeasure): string {
  const from = `from ${plural(whole.total, 'entry', 'entries')}`;
  if (inNet) return `${money(whole.net)} net ${from}`;
  if (!priced) return `${qty(whole.qty)} ${from}`;
  const much = [qty(whole.qty), priced.unit].filter(Boolean).join(' ');
  if (priced.price === null) return `${much} without a price, ${from}`;
  return `${much} × ${money(priced.price)} = ${money(worthOf(whole.qty, priced.price))} ${from}`;
}

/** Millionths at centavos, rounded once to the centavo. */
function worthOf(amount: number, price: number): number {
  return Math.round((Math.round(amount * 1e6) * Math.round(price * 100)) / 1e6) / 100;
}
