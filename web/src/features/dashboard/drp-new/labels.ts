import { day, plural, qty } from '#/ui/format';
import { methodLabel } from '#/ui/methods';
import type { Effective, PlanLine, Rule } from './wire';

/** A forecast's useful decimals. */
export const round = (value: number | null, places = 2): number | null =>
  value === null ? null : Math.round(value * 10 ** places) / 10 ** places;

const CAPS: Readonly<Record<string, string>> = {
  min: 'minimum',
  max: 'maximum',
  shelfLife: 'shelf life',
  storage: 'storage room',
};

/** Why the suggestion differs from the need. */
export const capLabel = (cap: string): string => CAPS[cap] ?? cap;

/** A suggestion as a sentence. How long the stock lasts is said by the server, from the figures of the chart. */
export function sentence(line: PlanLine): string {
  const of = (value: number) => `${qty(round(value))}${line.unit ? ` ${line.unit}` : ''}`;
  const used = line.estimatedDays > 0 ? `, less ${of(line.estimatedUse)} estimated as used` : '';
  const { unusable } = line;
  const less = unusable > 0 ? `, less ${of(unusable)} expired or recalled` : '';
  const have = `${of(line.onHand)} on hand${less}${used}`;
  const coming = line.inTransit - line.inTransitLater + line.onOrder;
  const has = coming > 0 ? `${have}, ${of(coming)} on its way or ordered` : have;
  const until = line.nextDate
    ? `until the delivery of ${day(line.nextDate)}`
    : 'until the next order arrives';
  const target = `${of(line.forecast)} will be used ${until}, with ${of(line.safetyStock)} kept in case more is sold`;
  const need = Math.max(0, line.target - line.position);
  const packs = `${qty(line.suggested)} ${line.uomCode ?? (line.suggested === 1 ? 'pack' : 'packs')}`;
  const outlook = line.outlook ? ` ${line.outlook}` : '';
  if (line.suggested === 0 && need <= 0) {
    const enough = line.outWithOrder
      ? `${has}: enough, but not in time. Nothing to order.`
      : `There is enough: ${has}. Nothing to order.`;
    return `${target}. ${enough}${outlook}`;
  }
  const held =
    line.caps.length > 0 ? ` It is held back by ${line.caps.map(capLabel).join(' and ')}.` : '';
  const out =
    outlook ||
    (line.stockOutDate ? ` Without an order it runs out on ${day(line.stockOutDate)}.` : '');
  return `${target}. ${has}. Short by ${of(need)}: order ${packs} of ${of(line.pack)}.${held}${out}`;
}

export const FIELDS = [
  { name: 'serviceLevel', label: 'Service level', unit: '%', hint: 'How often nothing runs out' },
  { name: 'leadDays', label: 'Lead days', unit: 'days', hint: 'From the order to its arrival' },
  { name: 'reviewDays', label: 'Review days', unit: 'days', hint: 'From one order to the next' },
  { name: 'min', label: 'Minimum', unit: '', hint: 'Never plan for less than this' },
  { name: 'max', label: 'Maximum', unit: '', hint: 'Never plan for more than this' },
  {
    name: 'shelfLifeDays',
    label: 'Shelf life',
    unit: 'days',
    hint: 'Order no more than sells in it',
  },
] as const;
/** All settings, in display order. */
export const SETTINGS: readonly { name: string; label: string }[] = [
  ...FIELDS,
  { name: 'method', label: 'Forecast' },
  { name: 'priority', label: 'Priority' },
  { name: 'percent', label: 'Share of the need' },
];

export type FieldName = (typeof FIELDS)[number]['name'];

/** A setting's displayed value; service levels are shares on the wire and percent on screen. */
export function shownValue(name: string, value: number | string | null): string {
  if (value === null) return '–';
  if (name === 'method') return methodLabel(String(value));
  if (typeof value === 'string') return value;
  if (name === 'percent') return `${qty(value)}%`;
  if (name === 'serviceLevel') return `${qty(round(value * 100))}%`;
  return FIELDS.find((field) => field.name === name)?.unit === 'days'
    ? plural(value, 'day')
    : qty(value);
}

const FROM: Readonly<Record<Effective['from'], string>> = {
  default: 'the default',
  location: 'the store’s page',
  category: 'the category',
  product: 'the product',
  store: 'the store',
  storeProduct: 'this product in this store',
};

/** `ruled`: the default comes from a rule for all stores. */
export const fromLabel = (from: Effective['from'], ruled = false): string =>
  from === 'default' && ruled ? 'the rule for all stores' : FROM[from];

/** A rule's scope, the narrowest part last. */
export function scopeLabel(
  rule: Pick<Rule, 'storeId' | 'categoryId' | 'productId'>,
  nameOf: { store(id: string): string; category(id: string): string; product(id: string): string },
): string {
  const parts = [
    rule.productId && nameOf.product(rule.productId),
    rule.categoryId && nameOf.category(rule.categoryId),
    rule.storeId && nameOf.store(rule.storeId),
  ].filter(Boolean);
  return parts.length > 0 ? parts.join(' in ') : 'All stores and products';
}
