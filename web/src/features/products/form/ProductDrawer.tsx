import { Button } from '@mantine/core';
import { useEffect, useRef } from 'react';
import { Problem } from '#/api/problem';
import { useCan } from '#/api/session';
import { DrawerNote, DrawerSection } from '#/form/DrawerForm';
import { RecordFormFrame } from '#/form/RecordFormFrame';
import { useBaseRecord } from '#/form/useBaseRecord';
import { useOpenRecord } from '#/form/useOpenRecord';
import { DrawerFrame } from '#/ui/DrawerFrame';
import { DrawerLoading } from '#/ui/DrawerLoading';
import { moment } from '#/ui/format';
import type { OfferUndo } from '../actions';
import { KEY, type Product, productsApi } from '../api';
import { fields, SECTIONS } from '../fields';
import classes from './ProductDrawer.module.css';
import { ProductProblems, ProductSections } from './ProductSections';
import { useProductForm } from './useProductForm';

interface Props {
  /** An id, `new`, or nothing. */
  open: string;
  /** The product, if the screen has it already. */
  known: Product | undefined;
  offer: OfferUndo;
  onSaved?(product: Product): void;
  onClose(): void;
  onDelete?(product: Product): void;
}

/** Creates or edits a product in a drawer. */
export function ProductDrawer({ open, known, offer, onSaved, onClose, onDelete }: Props) {
  const isNew = open === 'new';
  const mayEdit = useCan('products/products', isNew ? 'create' : 'edit');
  const { record: found, error } = useOpenRecord({
    open,
    known,
    queryKey: [...KEY, 'one', open],
    get: productsApi.get,
  });
  const latest = isNew ? null : found;
  const { base: product, onDirty } = useBaseRecord(latest);
  const title = isNew ? 'New product' : mayEdit ? 'Edit product' : 'Product';

  return (
    <DrawerFrame opened={Boolean(open)} title={title} size={760} onClose={onClose}>
      {product === undefined ? (
        <DrawerLoading
          title="This product could not be opened"
          failed={error ? Problem.of(error).message : null}
          rows={6}
          onClose={onClose}
        />
      ) : (
        <ProductForm
          key={product ? `${product.id} ${product.revision}` : 'new'}
          onDirty={onDirty}
          product={product}
          offer={offer}
          readOnly={!mayEdit}
          onSaved={onSaved}
          onClose={onClose}
          onDelete={onDelete}
        />
      )}
    </DrawerFrame>
  );
}

interface FormProps extends Pick<Props, 'offer' | 'onSaved' | 'onClose' | 'onDelete'> {
  product: Product | null;
  readOnly: boolean;
  onDirty(dirty: boolean): void;
}

function ProductForm(props: FormProps) {
  const { product, offer, readOnly, onDirty, onSaved, onClose, onDelete } = props;
  const body = useRef<HTMLDivElement>(null);
  const edit = useProductForm({
    product,
    offer,
    onSaved: (saved) => {
      onSaved?.(saved);
      onClose();
    },
  });
  const { form } = edit.edit;

  useEffect(() => onDirty(edit.dirty), [onDirty, edit.dirty]);
  // Reset when the form unmounts: the next one starts clean.
  useEffect(() => () => onDirty(false), [onDirty]);

  // A problem without a field is shown at the top, which may be scrolled away.
  useEffect(() => {
    if (edit.edit.problem || edit.lost) body.current?.scrollTo({ top: 0 });
  }, [edit.edit.problem, edit.lost]);

  function jump(section: string): void {
    const at = body.current?.querySelector<HTMLElement>(`[data-section="${section}"]`);
    body.current?.scrollTo({ top: (at?.offsetTop ?? 0) - 16 });
    // Focus moves with the scrolling, so that the keyboard reaches the last section as fast as the first.
    at?.querySelector<HTMLElement>('input:not([type="file"]), textarea, button')?.focus({
      preventScroll: true,
    });
  }

  return (
    <RecordFormFrame
      edit={edit.edit}
      fields={fields}
      values={form.values}
      isNew={product === null}
      dirty={edit.dirty}
      busy={edit.busy}
      readOnly={readOnly}
      saved={edit.saved}
      saveLabel="Save product"
      what="this product"
      bodyClass={classes.body}
      body={body}
      above={
        <nav className={classes.jumps} aria-label="Sections of the form">
          {SECTIONS.map((section) => (
            <button
              key={section}
              type="button"
              className={classes.jump}
              onClick={() => jump(section)}
            >
              {section}
            </button>
          ))}
        </nav>
      }
      danger={
        product &&
        onDelete && (
          <Button variant="subtle" color="red" onClick={() => onDelete(product)}>
            Delete
          </Button>
        )
      }
      onSubmit={() => void edit.submit()}
      onClose={onClose}
    >
      <ProductProblems edit={edit} />
      <ProductSections
        product={product}
        edit={edit}
        readOnly={readOnly}
        frame={(section, content) => (
          <DrawerSection key={section} title={section} name={section}>
            {content}
          </DrawerSection>
        )}
      />
      {product && (
        <DrawerNote>
          Last changed {moment(product.updatedAt)}
          {product.updatedBy?.name && ` by ${product.updatedBy.name}`}.
        </DrawerNote>
      )}
    </RecordFormFrame>
  );
}
