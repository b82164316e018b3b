// Products as the parts of lists see them: editing several at once, and merging.
import { fromRecord, toWire } from '#/form/values';
import { defineList, type ListDef } from '#/lists/define';
import { PRODUCTS, type Product, SLUG } from './api';
import { fields, toForm, toServer } from './fields';

/** Records that follow a product when it is merged; documents and movements keep naming the old one. */
const FOLLOW: ReadonlySet<string> = new Set(['recipe', 'orderTemplate']);

/** Barcodes of both stay: the server moves them. */
const COMPARED = fields.filter(({ name }) => name !== 'barcodes');

export const productList: ListDef<Product> = defineList<Product>({
  slug: SLUG,
  base: PRODUCTS,
  permission: 'products/products',
  name: 'name',
  fields,
  remote: true,
  identify: ['sku'],
  compares: (product) => toServer(toWire(COMPARED, fromRecord(COMPARED, toForm(product)))),
  moves: ({ kind }) => FOLLOW.has(kind),
  merged:
    'Stock, lots and barcodes move over too. Documents and movements go on naming the old product, which is then made inactive; one without any is deleted. This can’t be undone.',
  empty: '',
});

/** The kinds of records that a product's fields and their lines name. */
export const namedKinds: readonly string[] = [
  ...new Set(
    fields.flatMap((field) => {
      if (field.kind === 'ref') return [field.of];
      if (field.kind === 'table') return field.columns.flatMap(({ of }) => of ?? []);
      return [];
    }),
  ),
].sort();
