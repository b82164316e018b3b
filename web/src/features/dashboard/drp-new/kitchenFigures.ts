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

/** What a row asks for: to be made, to be bought, or neither, as no recipe makes it and no unit to buy it is known. */
export type Need = 'make' | 'buy' | 'none';

export const totalOf = ({ net }: Pick<Product, 'net'>) => net.reduce((all, qty) => all + qty, 0);

export function needOf(product: Pick<Product, 'recipeId' | 'toBuy' | 'net'>): Need {
  if (product.recipeId) return 'make';
  return product.toBuy || totalOf(product) === 0 ? 'buy' : 'none';
}

/** The kitchen with the most products to make or to get; the first of equals, null without any. */
export function busiest(
  kitchens: readonly { id: string; plan?: Pick<Kitchen, 'products'> | undefined }[],
): string | null {
  const todo = (plan?: Pick<Kitchen, 'products'>) =>
    plan?.products.filter((one) => totalOf(one) > 0).length ?? 0;
  return kitchens.toSorted((a, b) => todo(b.plan) - todo(a.plan))[0]?.id ?? null;
}
