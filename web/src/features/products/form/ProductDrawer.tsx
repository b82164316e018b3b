import { Button, Drawer, Skeleton } from '@mantine/core';
import { IconFileUnknown } from '@tabler/icons-react';
import { useEffect, useRef } from 'react';
import { Problem } from '#/api/problem';
import { useCan } from '#/api/session';
import { LeaveGuard } from '#/form/LeaveGuard';
import { StaleDialog } from '#/form/StaleDialog';
import { useOpenRecord } from '#/form/useOpenRecord';
import { toWire } from '#/form/values';
import { DrawerFrame } from '#/ui/DrawerFrame';
import { EmptyState } from '#/ui/EmptyState';
import { moment } from '#/ui/format';
import { Kbd } from '#/ui/Kbd';
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
  onSaved?(product: Product): void;
  onClose(): void;
  onDelete?(product: Product): void;
}

/** A product, made or changed, beside the list or the page it was opened from. */
export function ProductDrawer({ open, known, onSaved, onClose, onDelete }: Props) {
  const isNew = open === 'new';
  const mayEdit = useCan('products/products', isNew ? 'create' : 'edit');
  const { record: found, error } = useOpenRecord({
    open,
    known,
    queryKey: [...KEY, 'one', open],
    get: productsApi.get,
  });
  const latest = isNew ? null : found;
  // Somebody else's change is shown at once, but never under what is being typed.
  const dirty = useRef(false);
  const base = useRef(latest);
  if (!dirty.current || base.current?.id !== latest?.id) base.current = latest;
  const product = base.current;
  const title = isNew ? 'New product' : mayEdit ? 'Edit product' : 'Product';

  return (
    <DrawerFrame opened={Boolean(open)} title={title} size={760} onClose={onClose}>
      {product === undefined ? (
        <Drawer.Body p="lg">
          {error ? (
            <EmptyState
              icon={IconFileUnknown}
              role="alert"
              title="This product could not be opened"
              text={Problem.of(error).message}
              action={
                <Button variant="default" onClick={onClose}>
                  Close
                </Button>
              }
            />
          ) : (
            Array.from({ length: 6 }, (_, i) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: they are all alike
              <Skeleton key={i} height={36} mb="lg" />
            ))
          )}
        </Drawer.Body>
      ) : (
        <ProductForm
          key={product ? `${product.id} ${product.revision}` : 'new'}
          onDirty={(now) => {
            dirty.current = now;
          }}
          product={product}
          readOnly={!mayEdit}
          onSaved={onSaved}
          onClose={onClose}
          onDelete={onDelete}
        />
      )}
    </DrawerFrame>
  );
}

interface FormProps extends Pick<Props, 'onSaved' | 'onClose' | 'onDelete'> {
  product: Product | null;
  readOnly: boolean;
  onDirty(dirty: boolean): void;
}

function ProductForm(props: FormProps) {
  const { product, readOnly, onDirty, onSaved, onClose, onDelete } = props;
  const body = useRef<HTMLDivElement>(null);
  const edit = useProductForm({
    product,
    onSaved: (saved) => {
      onSaved?.(saved);
      onClose();
    },
  });
  const { stale, resolve, keepTyping, form } = edit.edit;

  // biome-ignore lint/correctness/useExhaustiveDependencies: whoever listens stays the same
  useEffect(() => onDirty(edit.dirty), [edit.dirty]);
  // Gone with its form: the next one begins clean.
  // biome-ignore lint/correctness/useExhaustiveDependencies: only at the end
  useEffect(() => () => onDirty(false), []);

  // A problem that belongs to no field stands at the top, which may be far away.
  useEffect(() => {
    if (edit.edit.problem || edit.lost) body.current?.scrollTo({ top: 0 });
  }, [edit.edit.problem, edit.lost]);

  function jump(section: string): void {
    const at = body.current?.querySelector<HTMLElement>(`[data-section="${section}"]`);
    body.current?.scrollTo({ top: (at?.offsetTop ?? 0) - 16 });
    // The keyboard goes along, so that the last section is as near as the first.
    at?.querySelector<HTMLElement>('input:not([type="file"]), textarea, button')?.focus({
      preventScroll: true,
    });
  }

  return (
    <form
      className={classes.form}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        void edit.submit();
      }}
      onKeyDown={(event) => {
        if (event.key === 'Enter' && (event.ctrlKey || event.metaKey) && !readOnly) {
          event.preventDefault();
          void edit.submit();
        }
      }}
    >
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
      <Drawer.Body className={classes.body} ref={body}>
        <ProductProblems edit={edit} />
        <ProductSections
          product={product}
          edit={edit}
          readOnly={readOnly}
          frame={(section, content) => (
            <section key={section} className={classes.group} data-section={section}>
              <h3 className={classes.section}>{section}</h3>
              {content}
            </section>
          )}
        />
        {product && (
          <p className={classes.note}>
            Last changed {moment(product.updatedAt)}
            {product.updatedBy?.name && ` by ${product.updatedBy.name}`}.
          </p>
        )}
      </Drawer.Body>
      <footer className={classes.footer}>
        {product && onDelete && (
          <Button variant="subtle" color="red" onClick={() => onDelete(product)}>
            Delete
          </Button>
        )}
        <span className={classes.keys}>
          <Kbd>Ctrl Enter</Kbd>
        </span>
        <Button variant="default" onClick={onClose}>
          {readOnly ? 'Close' : 'Cancel'}
        </Button>
        {!readOnly && (
          <Button type="submit" loading={edit.busy} disabled={product !== null && !edit.dirty}>
            Save product
          </Button>
        )}
      </footer>
      <LeaveGuard dirty={edit.dirty && !readOnly} what="this product" saved={edit.saved} />
      {stale && (
        <StaleDialog
          stale={stale}
          fields={fields}
          mine={toWire(fields, form.values)}
          busy={edit.busy}
          onResolve={resolve}
          onClose={keepTyping}
        />
      )}
    </form>
  );
}
