import { useQuery } from '@tanstack/react-query';
import type { Problem } from '#/api/problem';
import { useCan } from '#/api/session';
import { useSave } from '#/form/useSave';
import { Dialog } from '#/ui/Dialog';
import { plural } from '#/ui/format';
import { failed } from '#/ui/toast';
import {
  deleteProduct,
  deleteProducts,
  type NotChanged,
  type OfferUndo,
  setInactive,
} from './actions';
import { KEY, type Product, productsApi, productsChanged, type Uses } from './api';
import { MESSAGES, TOAST_MS } from './messages';
import { UseList } from './UseList';

interface Props {
  product: Product;
  offer: OfferUndo;
  onClose(): void;
  onDeleted?(): void;
}

/** Confirms deleting a product; one in use cannot be deleted, and is offered to be made inactive. */
export function DeleteDialog({ product, offer, onClose, onDeleted }: Props) {
  const { busy, problem: refused, run } = useSave();
  const mayEdit = useCan('products/products', 'edit');
  const asked = useQuery({
    queryKey: [...KEY, 'uses', product.id],
    queryFn: ({ signal }) => productsApi.usedBy(product.id, signal),
    staleTime: 0,
    retry: false,
  });

  const send = () =>
    run(() => deleteProduct(product.id), {
      onSaved: () => {
        offer({
          message: MESSAGES.deleted,
          name: product.name,
          records: [{ id: product.id, revision: null }],
        });
        onClose();
        onDeleted?.();
      },
      refused: () => failed(MESSAGES.notDeleted, TOAST_MS),
      onSettled: productsChanged,
    });

  const retire = () =>
    run(() => setInactive(product, true, offer), { onSaved: (done) => done && onClose() });

  const uses = usesOf(refused, asked.data);
  if (uses || refused) {
    const offer = mayEdit && !product.inactive;
    return (
      <Dialog
        opened
        title={`“${product.name}” can't be deleted`}
        keep={offer ? 'Keep as it is' : 'Close'}
        confirm={offer ? 'Make inactive' : undefined}
        busy={busy}
        onConfirm={() => void retire()}
        onClose={onClose}
      >
        {uses ? (
          <>
            <p>It is still used by:</p>
            <UseList uses={uses} />
          </>
        ) : (
          <p>{refused?.message}</p>
        )}
        {offer && (
          <p>
            An inactive product no longer shows in lists and choices; what uses it stays as it is.
          </p>
        )}
      </Dialog>
    );
  }

  return (
    <Dialog
      opened
      title={`Delete “${product.name}”?`}
      keep="Keep product"
      confirm="Delete product"
      danger
      busy={busy || asked.isLoading}
      onConfirm={() => void send()}
      onClose={onClose}
    >
      <p>It disappears from every list.{asked.data && ' Nothing uses it.'} You can undo this.</p>
    </Dialog>
  );
}

function usesOf(refused: Problem | null, asked: Uses | undefined): Uses['uses'] | null {
  const refusedUses = refused?.extras.uses as Uses['uses'] | undefined;
  if (refusedUses?.length) return refusedUses;
  return asked && asked.total > 0 ? asked.uses : null;
}

interface ManyProps {
  products: readonly Product[];
  offer: OfferUndo;
  onClose(): void;
  onDone(left: NotChanged[]): void;
}

export function DeleteManyDialog({ products, offer, onClose, onDone }: ManyProps) {
  const { busy, run } = useSave();
  return (
    <Dialog
      opened
      title={`Delete ${plural(products.length, 'product')}?`}
      keep={products.length === 1 ? 'Keep product' : 'Keep products'}
      confirm={products.length === 1 ? 'Delete product' : 'Delete products'}
      danger
      busy={busy}
      onConfirm={() => {
        void run(() => deleteProducts(products, offer), { onSaved: onDone });
      }}
      onClose={onClose}
    >
      <p>They disappear from every list. Products that something uses stay. You can undo this.</p>
    </Dialog>
  );
}

/** Lists the products that were not changed, and why. */
export function NotChangedDialog({
  left,
  onClose,
}: {
  left: readonly NotChanged[];
  onClose(): void;
}) {
  return (
    <Dialog
      opened
      title={`${plural(left.length, 'product')} stayed as ${left.length === 1 ? 'it was' : 'they were'}`}
      keep="Close"
      onClose={onClose}
    >
      <ul>
        {left.slice(0, 12).map(({ name, why }) => (
          <li key={`${name} ${why}`}>
            <strong>{name}</strong>: {why}
          </li>
        ))}
      </ul>
      {left.length > 12 && <p>And {plural(left.length - 12, 'other')}.</p>}
    </Dialog>
  );
}
