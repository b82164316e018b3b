import { Button } from '@mantine/core';
import { IconPackageOff } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { Link, useNavigate, useParams } from 'react-router';
import { useCan } from '#/api/session';
import { LeaveGuard } from '#/form/LeaveGuard';
import { useUndo } from '#/lists/useUndo';
import { pages, to } from '#/paths';
import { EmptyState } from '#/ui/EmptyState';
import { Page, Panel } from '#/ui/Page';
import { productsApi, productsChanged } from '../api';
import type { Section } from '../fields';
import { ProductProblems, ProductSections } from '../form/ProductSections';
import { useProductForm } from '../form/useProductForm';
import classes from './NewProduct.module.css';

const SIDES: readonly (readonly Section[])[] = [
  ['Basics', 'Units', 'Barcodes'],
  ['Root items', 'Prices', 'Stock and accounts', 'Picture'],
];

/** The form for a new product, shown under an unknown id. */
export function NewProduct({ back }: { back: ReactNode }) {
  const { id } = useParams();
  const navigate = useNavigate();
  const mayCreate = useCan('products/products', 'create');
  const { offer } = useUndo(productsApi, productsChanged);
  const edit = useProductForm({
    product: null,
    offer,
    onSaved: (saved) => {
      // Deferred: the leave guard must first see the form as saved.
      setTimeout(() => void navigate(to('product', { id: saved.id }), { replace: true }));
    },
  });

  if (!mayCreate) {
    return (
      <EmptyState
        page
        icon={IconPackageOff}
        title="There is no product here"
        text="It may have been deleted, or the address is not right."
        action={
          <Button variant="default" component={Link} to={pages.products.path}>
            Back to products
          </Button>
        }
      />
    );
  }

  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        void edit.submit();
      }}
      onKeyDown={(event) => {
        if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) {
          event.preventDefault();
          void edit.submit();
        }
      }}
    >
      <Page
        title="New product"
        back={back}
        narrow
        aside={id !== 'new' && 'No product has this address yet.'}
        actions={
          <Button type="submit" loading={edit.busy}>
            Save product
          </Button>
        }
      >
        <ProductProblems edit={edit} />
        <div className={classes.sides}>
          {SIDES.map((sections) => (
            <div key={sections[0]} className={classes.side}>
              <ProductSections
                product={null}
                edit={edit}
                only={sections}
                frame={(section, content) => (
                  <Panel key={section} title={section}>
                    {content}
                  </Panel>
                )}
              />
            </div>
          ))}
        </div>
      </Page>
      <LeaveGuard dirty={edit.dirty} what="this product" saved={edit.saved} />
    </form>
  );
}
