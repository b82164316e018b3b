import { useCan } from '#/api/session';
import { History } from '#/history/History';
import { Panel } from '#/ui/Page';
import { done } from '#/ui/toast';
import { PRODUCTS, type Product, productsChanged } from '../api';
import { fields } from '../fields';
import { SAYS, STAYS } from '../words';

/** The picture is no field of the form, but changes are told of it too. */
const LABELS = [...fields, { kind: 'text' as const, name: 'imageUrl', label: 'Picture' }];

/** Who changed it when, and the way back to an earlier version. */
export function HistoryTab({ product }: { product: Product }) {
  const canRestore = useCan('products/products', 'edit');
  return (
    <Panel title="History">
      <History
        base={PRODUCTS}
        id={product.id}
        labels={LABELS}
        canRestore={canRestore}
        onRestored={() => {
          productsChanged();
          done(SAYS.updated, STAYS);
        }}
      />
    </Panel>
  );
}
