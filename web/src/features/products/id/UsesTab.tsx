import { UsesPanel } from '#/lists/uses/UsesPanel';
import { Panel } from '#/ui/Page';
import { PRODUCTS, type Product, SLUG } from '../api';

/** The records that refer to the product; while there are any it cannot be deleted. */
export function UsesTab({ product }: { product: Product }) {
  return (
    <Panel title="Used by">
      <UsesPanel base={PRODUCTS} slug={SLUG} id={product.id} one="product" />
    </Panel>
  );
}
