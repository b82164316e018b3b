import { Button } from '@mantine/core';
import {
  IconArrowMerge,
  IconEye,
  IconEyeOff,
  IconFileImport,
  IconHistory,
  IconPackage,
  IconPencil,
  IconPlus,
  IconScale,
  IconTrash,
  IconZoomIn,
} from '@tabler/icons-react';
import { useMemo, useState } from 'react';
import { Link, useNavigate } from 'react-router';
import { codeKey } from '#/api/barcodes';
import { useCan } from '#/api/session';
import { useNamesOf } from '#/lists/api';
import { MERGED_AT_ONCE } from '#/lists/merge/choices';
import { useUndo } from '#/lists/useUndo';
import { useBarcodes } from '#/offline/barcodes';
import { pages, spec, to } from '#/paths';
import { DataTable } from '#/table/DataTable';
import { useServerSource } from '#/table/sources';
import { useTableState, writeSort } from '#/table/useTableState';
import { Segments } from '#/ui/Segments';
import { lastingError } from '#/ui/toast';
import { useScanner } from '#/ui/useScanner';
import { AccountPicker } from './AccountPicker';
import { AdjustDialog } from './AdjustDialog';
import { type NotChanged, setAccount, setInactive, setManyInactive } from './actions';
import { KEY, type Product, productsApi, productsChanged } from './api';
import { type AccountCell, columnsOf, refKinds } from './columns';
import { DeleteDialog, DeleteManyDialog, NotChangedDialog } from './DeleteDialog';
import { ProductDrawer } from './form/ProductDrawer';
import { EditManyDialog, MergeProductsDialog } from './ManyDialogs';
import { useListedLevel, useUnitName } from './names';
import { ProductFilters } from './ProductFilters';
import classes from './page.module.css';

const PAGE = 'products/products';

const SHOWN = [
  { value: 'active', label: 'Active' },
  { value: 'inactive', label: 'Inactive' },
  { value: 'all', label: 'All' },
] as const;
type Shown = (typeof SHOWN)[number]['value'];

/** The query of each segment; by default the server leaves inactive products out. */
const ASKED: Record<Shown, Record<string, string>> = {
  active: {},
  inactive: { inactive: 'true' },
  all: { includeInactive: 'true' },
};

const idOf = ({ id }: Product) => id;
const labelOf = ({ name }: Product) => name;

type Asking =
  | { what: 'adjust' | 'delete'; product: Product }
  | { what: 'deleteMany' | 'edit' | 'merge'; products: Product[]; clear(): void }
  | { what: 'left'; left: NotChanged[] };

export default function ProductsPage() {
  const state = useTableState();
  const navigate = useNavigate();
  const mayCreate = useCan(PAGE, 'create');
  const mayEdit = useCan(PAGE, 'edit');
  const mayDelete = useCan(PAGE, 'delete');
  const mayExport = useCan(PAGE, 'export');
  const mayMerge = mayEdit && mayDelete;
  const [asking, setAsking] = useState<Asking | null>(null);
  const [account, setAccountAt] = useState<AccountCell | null>(null);

  const { offer } = useUndo(productsApi, productsChanged);

  const shown = SHOWN.find(({ value }) => value === state.get('status'))?.value ?? 'active';
  const query = {
    ...ASKED[shown],
    q: state.q || undefined,
    sort: writeSort(state.sort) ?? undefined,
    category: state.get('category') || undefined,
    type: state.get('type') || undefined,
    storageRequirement: state.get('storage') || undefined,
  };
  const source = useServerSource<Product>([...KEY, 'page', query], (page, pageSize, signal) =>
    productsApi.page({ ...query, page, pageSize }, signal),
  );

  const barcodes = useBarcodes();
  useScanner((code) => {
    const known = barcodes.get(codeKey(code));
    if (known) void navigate(to('product', { id: known.productId }));
    // A SKU, or the code of an inactive product.
    else state.set({ q: code, status: 'all' });
  });

  const nameOf = useNamesOf(refKinds);
  const unitOf = useUnitName();
  const level = useListedLevel();
  const columns = useMemo(
    () => columnsOf({ nameOf, unitOf, level, mayEdit, onAccount: setAccountAt }),
    [nameOf, unitOf, level, mayEdit],
  );

  const asked = state.get('open');
  const open = asked === 'new' && !mayCreate ? '' : asked;
  const edit = (id: string) => state.set({ open: id }, true);
  const create = mayCreate && (
    <Button leftSection={<IconPlus size={17} aria-hidden />} onClick={() => edit('new')}>
      New product
    </Button>
  );

  const finish = (left: NotChanged[], clear: () => void) => {
    clear();
    setAsking(left.length > 0 ? { what: 'left', left } : null);
  };
  const many = (inactive: boolean) => (products: Product[], clear: () => void) =>
    void setManyInactive(products, inactive, offer).then((left) => finish(left, clear));

  const merge = (products: Product[], clear: () => void) => {
    if (products.length > MERGED_AT_ONCE) {
      lastingError(`Choose at most ${MERGED_AT_ONCE} products to merge at once.`);
      return;
    }
    setAsking({ what: 'merge', products, clear });
  };

  return (
    <>
      <DataTable<Product>
        id="products"
        title={pages.products.label}
        one="product"
        many="products"
        icon={IconPackage}
        source={source}
        columns={columns}
        rowId={idOf}
        rowLabel={labelOf}
        state={state}
        placeholder="Filter by name, SKU or barcode"
        narrowed={
          shown === 'inactive' || Boolean(query.category || query.type || query.storageRequirement)
        }
        onClear={() =>
          state.set({ q: null, category: null, type: null, storage: null, status: null })
        }
        filters={
          <>
            <Segments
              label="Status"
              value={shown}
              options={SHOWN}
              onChange={(value) => state.set({ status: value === 'active' ? null : value })}
            />
            <ProductFilters state={state} />
          </>
        }
        actions={
          <>
            <ImportButton />
            {create}
          </>
        }
        faded={({ inactive }) => inactive}
        hold={account !== null}
        hrefOf={({ id }) => to('product', { id })}
        onOpen={({ id }) => void navigate(to('product', { id }))}
        onEdit={mayEdit ? ({ id }) => edit(id) : undefined}
        onNew={mayCreate ? () => edit('new') : undefined}
        rowActions={[
          {
            label: 'View',
            icon: IconZoomIn,
            run: ({ id }) => void navigate(to('product', { id })),
          },
          { label: 'Edit', icon: IconPencil, shown: () => mayEdit, run: ({ id }) => edit(id) },
          {
            label: 'History',
            icon: IconHistory,
            run: ({ id }) => void navigate(to('product', { id }, { tab: 'history' })),
          },
          {
            label: 'Adjust quantity',
            icon: IconScale,
            shown: ({ type }) => mayEdit && type !== 'Service',
            run: (product) => setAsking({ what: 'adjust', product }),
          },
          {
            label: 'Make inactive',
            icon: IconEyeOff,
            shown: ({ inactive }) => mayEdit && !inactive,
            run: (product) => void setInactive(product, true, offer),
          },
          {
            label: 'Make active',
            icon: IconEye,
            shown: ({ inactive }) => mayEdit && inactive,
            run: (product) => void setInactive(product, false, offer),
          },
          {
            label: 'Merge…',
            icon: IconArrowMerge,
            shown: () => mayMerge,
            run: (product) => merge([product], () => {}),
          },
          {
            label: 'Delete product',
            icon: IconTrash,
            danger: true,
            shown: () => mayDelete,
            run: (product) => setAsking({ what: 'delete', product }),
          },
        ]}
        bulkActions={[
          ...(mayEdit
            ? [
                {
                  label: 'Edit…',
                  run: (products: Product[], clear: () => void) =>
                    setAsking({ what: 'edit', products, clear }),
                },
              ]
            : []),
          ...(mayEdit && shown !== 'inactive' ? [{ label: 'Make inactive', run: many(true) }] : []),
          ...(mayEdit && shown !== 'active' ? [{ label: 'Make active', run: many(false) }] : []),
          ...(mayMerge ? [{ label: 'Merge…', run: merge }] : []),
          ...(mayDelete
            ? [
                {
                  label: 'Delete',
                  danger: true,
                  run: (products: Product[], clear: () => void) =>
                    setAsking({ what: 'deleteMany', products, clear }),
                },
              ]
            : []),
        ]}
        exportHref={mayExport ? (format) => productsApi.exportHref(format, query) : undefined}
        empty={{
          text: 'What the commissary makes or stocks and stores order. Make the first one.',
          action: create,
        }}
      />
      <ProductDrawer
        open={open}
        known={source.rows.find((row) => row?.id === open)}
        offer={offer}
        onClose={() => state.set({ open: null })}
        onDelete={mayDelete ? (product) => setAsking({ what: 'delete', product }) : undefined}
      />
      {account && (
        <AccountPicker
          at={account}
          onPick={(chosen) => void setAccount(account.product.id, account.field, chosen, offer)}
          onClose={() => setAccountAt(null)}
        />
      )}
      {asking?.what === 'adjust' && (
        <AdjustDialog product={asking.product} onClose={() => setAsking(null)} />
      )}
      {asking?.what === 'delete' && (
        <DeleteDialog
          product={asking.product}
          offer={offer}
          onClose={() => setAsking(null)}
          onDeleted={() => state.set({ open: null })}
        />
      )}
      {asking?.what === 'deleteMany' && (
        <DeleteManyDialog
          products={asking.products}
          offer={offer}
          onClose={() => setAsking(null)}
          onDone={(left) => finish(left, asking.clear)}
        />
      )}
      {asking?.what === 'edit' && (
        <EditManyDialog
          products={asking.products}
          offer={offer}
          onDone={() => finish([], asking.clear)}
          onClose={() => setAsking(null)}
        />
      )}
      {asking?.what === 'merge' && (
        <MergeProductsDialog
          products={asking.products}
          onDone={() => finish([], asking.clear)}
          onClose={() => setAsking(null)}
        />
      )}
      {asking?.what === 'left' && (
        <NotChangedDialog left={asking.left} onClose={() => setAsking(null)} />
      )}
    </>
  );
}

/** Links to the import of products. */
function ImportButton() {
  const mayImport = useCan(spec('toolsImportData').can);
  const icon = <IconFileImport size={17} aria-hidden />;
  if (spec('toolsImportData').built && mayImport) {
    return (
      <Button
        variant="default"
        component={Link}
        to={to('toolsImportData', null, { list: 'products' })}
        leftSection={icon}
        className={classes.import}
      >
        Import
      </Button>
    );
  }
  return (
    <Button
      variant="default"
      disabled
      leftSection={icon}
      className={classes.import}
      title={mayImport ? 'Not available yet' : 'Not in your role'}
    >
      Import
    </Button>
  );
}
