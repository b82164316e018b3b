import { UsesPanel } from '#/lists/uses/UsesPanel';
import { Panel } from '#/ui/Page';
import { PRODUCTS, type Product, SLUG } from '../api';

/** What refers to it: why it cannot be deleted, and what a change of it reaches. */
export function UsesTab({ product }: { product: Product }) {
  return (
    <Panel title="Used by">
      <UsesPanel base={PRODUCTS} slug={SLUG} id={product.id} one="product" />
    </Panel>
  );
}
