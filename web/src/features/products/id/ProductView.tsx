import { ActionIcon, Button, Menu } from '@mantine/core';
import {
  IconArrowMerge,
  IconDots,
  IconEye,
  IconEyeOff,
  IconPencil,
  IconScale,
  IconTrash,
} from '@tabler/icons-react';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { useNavigate, useSearchParams } from 'react-router';
import { useCan } from '#/api/session';
import { useUndo } from '#/lists/useUndo';
import { pages } from '#/paths';
import { isTyping, overlayOpen } from '#/ui/keys';
import { Page } from '#/ui/Page';
import { PageTabs } from '#/ui/PageTabs';
import { StatusPill } from '#/ui/StatusPill';
import { AdjustDialog } from '../AdjustDialog';
import { type OfferUndo, setInactive } from '../actions';
import { type Product, productsApi, productsChanged } from '../api';
import { isLow, StatusOf } from '../columns';
import { DeleteDialog } from '../DeleteDialog';
import { ProductDrawer } from '../form/ProductDrawer';
import { MergeProductsDialog } from '../ManyDialogs';
import { HistoryTab } from './HistoryTab';
import { MovementsTab } from './MovementsTab';
import { Overview } from './Overview';
import { PricesTab } from './PricesTab';
import classes from './ProductView.module.css';
import { RootItemsTab } from './RootItemsTab';
import { StockTab } from './StockTab';
import { UnitsTab } from './UnitsTab';
import { UsesTab } from './UsesTab';

const TABS = [
  { value: 'overview', label: 'Overview', View: Overview },
  { value: 'units', label: 'Units', View: UnitsTab },
  { value: 'root-items', label: 'Root items', View: RootItemsTab },
  { value: 'prices', label: 'Prices', View: PricesTab },
  { value: 'stock', label: 'Stock', View: StockTab },
  { value: 'movements', label: 'Movements', View: MovementsTab },
  { value: 'uses', label: 'Uses', View: UsesTab },
  { value: 'history', label: 'History', View: HistoryTab },
] as const;

const PAGE = 'products/products';

/** A product in tabs; the open tab is in the address. */
export function ProductView({ product, back }: { product: Product; back: ReactNode }) {
  const navigate = useNavigate();
  const [search, setSearch] = useSearchParams();
  const mayEdit = useCan(PAGE, 'edit');
  const mayDelete = useCan(PAGE, 'delete');
  const [deleting, setDeleting] = useState(false);
  const [merging, setMerging] = useState(false);
  const tab = TABS.find(({ value }) => value === search.get('tab')) ?? TABS[0];
  const { View } = tab;
  const { offer } = useUndo(productsApi, productsChanged);

  // The key «e» edits, as in lists.
  const edits = useRef(() => {});
  edits.current = () => mayEdit && show('open', true);
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      const alone = !(event.ctrlKey || event.metaKey || event.altKey || event.shiftKey);
      if (event.key !== 'e' || !alone || isTyping(event) || overlayOpen()) return;
      event.preventDefault();
      edits.current();
    };
    window.addEventListener('keydown', press);
    return () => window.removeEventListener('keydown', press);
  }, []);

  const mayAdjust = mayEdit && product.type !== 'Service';

  /** The form and the adjust dialog open by address, so that the search can link to them. */
  const show = (what: 'open' | 'adjust', on: boolean) =>
    setSearch(
      (now) => {
        const next = new URLSearchParams(now);
        if (on) next.set(what, product.id);
        else next.delete(what);
        return next;
      },
      { replace: !on, preventScrollReset: true },
    );

  return (
    <Page
      fill
      title={product.name}
      back={back}
      aside={
        <span className={classes.aside}>
          {product.sku && <span className="num">{product.sku}</span>}
          <StatusOf inactive={product.inactive} />
          {isLow(product) && <StatusPill tone="warn">Below reorder point</StatusPill>}
        </span>
      }
      actions={
        <>
          {mayAdjust && (
            <Button
              variant="default"
              className={classes.wide}
              leftSection={<IconScale size={17} aria-hidden />}
              onClick={() => show('adjust', true)}
            >
              Adjust quantity
            </Button>
          )}
          {mayEdit && (
            <Button
              leftSection={<IconPencil size={17} aria-hidden />}
              onClick={() => show('open', true)}
            >
              Edit
            </Button>
          )}
          {(mayEdit || mayDelete) && (
            <More
              product={product}
              offer={offer}
              mayEdit={mayEdit}
              mayDelete={mayDelete}
              onAdjust={() => show('adjust', true)}
              onMerge={() => setMerging(true)}
              onDelete={() => setDeleting(true)}
            />
          )}
        </>
      }
    >
      <PageTabs
        className="no-print"
        label={`About ${product.name}`}
        current={tab.value}
        tabs={TABS.map(({ value, label }) => ({
          value,
          to: value === 'overview' ? '?' : `?tab=${value}`,
          label,
        }))}
      />
      <div className={classes.view} data-tab={tab.value}>
        <View product={product} />
      </div>
      <ProductDrawer
        open={search.get('open') ? product.id : ''}
        known={product}
        offer={offer}
        onClose={() => show('open', false)}
        onDelete={mayDelete ? () => setDeleting(true) : undefined}
      />
      {mayAdjust && search.has('adjust') && (
        <AdjustDialog product={product} onClose={() => show('adjust', false)} />
      )}
      {merging && (
        <MergeProductsDialog
          products={[product]}
          onDone={() => void navigate(pages.products.path, { replace: true })}
          onClose={() => setMerging(false)}
        />
      )}
      {deleting && (
        <DeleteDialog
          product={product}
          offer={offer}
          onClose={() => setDeleting(false)}
          onDeleted={() => void navigate(pages.products.path, { replace: true })}
        />
      )}
    </Page>
  );
}

interface MoreProps {
  product: Product;
  offer: OfferUndo;
  mayEdit: boolean;
  mayDelete: boolean;
  onAdjust(): void;
  onMerge(): void;
  onDelete(): void;
}

function More(props: MoreProps) {
  const { product, offer, mayEdit, mayDelete, onAdjust, onMerge, onDelete } = props;
  const { inactive, type } = product;
  const Eye = inactive ? IconEye : IconEyeOff;
  return (
    <Menu position="bottom-end" width={190}>
      <Menu.Target>
        <ActionIcon variant="default" size={36} aria-label="More actions" className={classes.more}>
          <IconDots size={18} stroke={1.8} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        {mayEdit && type !== 'Service' && (
          <Menu.Item
            className={classes.narrow}
            leftSection={<IconScale size={16} stroke={1.6} aria-hidden />}
            onClick={onAdjust}
          >
            Adjust quantity
          </Menu.Item>
        )}
        {mayEdit && (
          <Menu.Item
            leftSection={<Eye size={16} stroke={1.6} aria-hidden />}
            onClick={() => void setInactive(product, !inactive, offer)}
          >
            {inactive ? 'Make active' : 'Make inactive'}
          </Menu.Item>
        )}
        {mayEdit && mayDelete && (
          <Menu.Item
            leftSection={<IconArrowMerge size={16} stroke={1.6} aria-hidden />}
            onClick={onMerge}
          >
            Merge…
          </Menu.Item>
        )}
        {mayDelete && (
          <Menu.Item
            c="var(--danger)"
            leftSection={<IconTrash size={16} stroke={1.6} aria-hidden />}
            onClick={onDelete}
          >
            Delete product
          </Menu.Item>
        )}
      </Menu.Dropdown>
    </Menu>
  );
}
