import { useCan } from '#/api/session';
import { History } from '#/history/History';
import { Panel } from '#/ui/Page';
import { done } from '#/ui/toast';
import { PRODUCTS, type Product, productsChanged } from '../api';
import { fields } from '../fields';
import { MESSAGES, TOAST_MS } from '../messages';

/** The picture is not a form field, but its changes are in the history. */
const LABELS = [...fields, { kind: 'text' as const, name: 'imageUrl', label: 'Picture' }];

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
          done(MESSAGES.updated, TOAST_MS);
        }}
      />
    </Panel>
  );
}
