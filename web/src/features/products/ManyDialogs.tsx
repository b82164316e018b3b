import { useNamesOf } from '#/api/names';
import { BulkDialog } from '#/lists/bulk/BulkDialog';
import { MergeDialog } from '#/lists/merge/MergeDialog';
import type { OfferUndo } from './actions';
import { type Product, productsApi, productsChanged } from './api';
import { namedKinds, productList } from './list';

const labelOf = ({ name }: Product) => name;

interface EditProps {
  products: readonly Product[];
  offer: OfferUndo;
  /** Called when all products were changed. */
  onDone(): void;
  onClose(): void;
}

/** Sets chosen fields of several products. */
export function EditManyDialog({ products, offer, onDone, onClose }: EditProps) {
  return (
    <BulkDialog
      def={productList}
      api={productsApi}
      records={products}
      rows={products}
      label={labelOf}
      changed={productsChanged}
      offer={offer}
      onDone={onDone}
      onClose={onClose}
    />
  );
}

interface MergeProps {
  /** The products to merge; for a single one the dialog asks for the other. */
  products: readonly Product[];
  onDone(): void;
  onClose(): void;
}

/** Merges products: which stays, what it keeps of the others, what moves to it. */
export function MergeProductsDialog({ products, onDone, onClose }: MergeProps) {
  const nameOf = useNamesOf(namedKinds);
  return (
    <MergeDialog
      def={productList}
      api={productsApi}
      records={products}
      rows={products}
      label={labelOf}
      nameOf={nameOf}
      changed={productsChanged}
      onDone={onDone}
      onClose={onClose}
    />
  );
}
