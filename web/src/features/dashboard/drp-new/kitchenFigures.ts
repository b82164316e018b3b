import type { Kitchen } from './wire';

type Product = Kitchen['products'][number];

/** Where open orders of a product stand. Ordered = cut + approved; approved = sent + to send + closed short; to send = covered + short. */
const FIGURES = [
  { id: 'ordered', label: 'Ordered' },
  { id: 'cut', label: 'Cut' },
  { id: 'approved', label: 'Approved' },
  { id: 'sent', label: 'Sent' },
  { id: 'closedShort', label: 'Closed short' },
  { id: 'toSend', label: 'To send' },
  { id: 'covered', label: 'Covered' },
  { id: 'short', label: 'Short' },
] as const;

const PARTS: readonly string[] = ['cut', 'sent', 'closedShort'];

/** The columns that tell something: what was cut, sent and closed short only where something was. */
export function figuresOf(products: readonly Pick<Product, (typeof FIGURES)[number]['id']>[]) {
  const any = (id: (typeof FIGURES)[number]['id']) => products.some((one) => one[id] !== 0);
  const steps = FIGURES.some(({ id }) => PARTS.includes(id) && any(id));
  return FIGURES.filter(({ id }) => (id === 'approved' ? steps : !PARTS.includes(id) || any(id)));
}
