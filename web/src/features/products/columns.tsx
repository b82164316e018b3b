import type { Name } from '#/api/names';
import type { Column } from '#/table/types';
import { amount, DOT, MISSING, moment, qty } from '#/ui/format';
import { StatusPill } from '#/ui/StatusPill';
import type { AccountField } from './actions';
import { type Product, pictureOf } from './api';
import classes from './columns.module.css';

/** Whether stock is below the reorder point; services have no stock. */
export function isLow({ quantity, reorderPoint, type }: Product): boolean {
  return type !== 'Service' && reorderPoint != null && quantity < reorderPoint;
}

/** The cell in which an account is being chosen. */
export interface AccountCell {
  product: Product;
  field: AccountField;
  button: HTMLElement;
}

interface ColumnContext {
  nameOf(kind: string, id: unknown): string | null;
  /** The code of a unit. */
  unitOf(id: string | undefined): string;
  /** The price level whose prices are listed. */
  level: Name | undefined;
  mayEdit: boolean;
  onAccount(at: AccountCell): void;
}

export const refKinds = [
  'categories',
  'product-types',
  'food-types',
  'storage-requirements',
] as const;

export function columnsOf({
  nameOf,
  unitOf,
  level,
  mayEdit,
  onAccount,
}: ColumnContext): Column<Product>[] {
  const account = (field: AccountField) => (product: Product) => (
    <Account
      product={product}
      field={field}
      onEdit={mayEdit ? (button) => onAccount({ product, field, button }) : undefined}
    />
  );
  return [
    { id: 'sku', label: 'SKU', value: ({ sku }) => sku, width: 120, muted: true, phone: 'sub' },
    {
      id: 'name',
      label: 'Product',
      value: ({ name }) => name,
      cell: (product) => <Named product={product} />,
      primary: true,
    },
    {
      id: 'category',
      label: 'Category',
      value: ({ category }) => nameOf('categories', category),
      width: 140,
      phone: 'sub',
    },
    { id: 'type', label: 'Type', value: ({ type }) => type, width: 112, phone: 'none' },
    {
      id: 'productType',
      label: 'Product type',
      value: ({ productType }) => nameOf('product-types', productType),
      width: 130,
      hidden: true,
      phone: 'none',
    },
    {
      id: 'foodType',
      label: 'Food type',
      value: ({ foodType }) => nameOf('food-types', foodType),
      width: 130,
      hidden: true,
      phone: 'none',
    },
    {
      id: 'storageRequirement',
      label: 'Storage',
      value: ({ storageRequirement }) => nameOf('storage-requirements', storageRequirement),
      width: 120,
      hidden: true,
      phone: 'none',
    },
    {
      id: 'quantity',
      label: 'On hand',
      value: ({ quantity }) => quantity,
      cell: (product) => <OnHand product={product} unit={unitOf(product.baseUom)} />,
      align: 'right',
      width: 136,
      phone: 'end',
    },
    {
      id: 'reorderPoint',
      label: 'Reorder at',
      value: ({ reorderPoint }) => reorderPoint,
      cell: ({ reorderPoint, baseUom }) => (
        <InUnit text={qty(reorderPoint)} unit={reorderPoint == null ? '' : unitOf(baseUom)} />
      ),
      align: 'right',
      width: 124,
      phone: 'none',
    },
    {
      id: 'price',
      label: 'Price (₱)',
      title: `For one selling unit${level ? `, at the price level ${level.name}` : ''}`,
      value: (product) => priceAt(product, level),
      cell: (product) => {
        const price = priceAt(product, level);
        const unit = unitOf(product.defaultSellingUom) || unitOf(product.baseUom);
        return <InUnit text={amount(price)} unit={price === null || !unit ? '' : `/ ${unit}`} />;
      },
      align: 'right',
      width: 150,
      sortable: false,
      phone: 'none',
    },
    {
      id: 'inventoryAssetAccountId',
      label: 'Inventory account',
      value: ({ inventoryAssetAccountName }) => inventoryAssetAccountName,
      cell: account('inventoryAssetAccount'),
      width: 190,
      phone: 'none',
    },
    {
      id: 'expenseAccountId',
      label: 'Expense account',
      value: ({ expenseAccountName }) => expenseAccountName,
      cell: account('expenseAccount'),
      width: 190,
      hidden: true,
      phone: 'none',
    },
    {
      id: 'inactive',
      label: 'Status',
      value: ({ inactive }) => (inactive ? 'Inactive' : 'Active'),
      cell: ({ inactive }) => <StatusOf inactive={inactive} />,
      width: 92,
      phone: 'none',
    },
    {
      id: 'updatedAt',
      label: 'Last changed',
      value: ({ updatedAt }) => updatedAt,
      cell: ({ updatedAt, updatedBy }) =>
        [moment(updatedAt), updatedBy?.name].filter(Boolean).join(DOT),
      width: 230,
      hidden: true,
      muted: true,
      phone: 'none',
    },
  ];
}

export function priceAt(product: Product, level: Name | undefined): number | null {
  const found = product.priceLevelPrices.find(({ priceLevelId }) => priceLevelId === level?.id);
  return found?.price ?? null;
}

export function StatusOf({ inactive }: { inactive: boolean }) {
  return inactive ? (
    <StatusPill tone="neutral">Inactive</StatusPill>
  ) : (
    <StatusPill tone="ok">Active</StatusPill>
  );
}

function Named({ product: { name, imageUrl } }: { product: Product }) {
  const thumb = pictureOf(imageUrl, 'thumb');
  return (
    <span className={classes.product}>
      {thumb ? (
        <img className={classes.thumb} src={thumb} alt="" loading="lazy" />
      ) : (
        <span className={`${classes.thumb} ${classes.noThumb}`} aria-hidden>
          {name.trim().charAt(0).toUpperCase()}
        </span>
      )}
      <span className={classes.name}>{name}</span>
    </span>
  );
}

/** A figure with its unit. */
function InUnit({ text, unit }: { text: string; unit: string }) {
  return (
    <>
      {text}
      {unit && <span className={classes.unit}>{unit}</span>}
    </>
  );
}

function OnHand({ product, unit }: { product: Product; unit: string }) {
  if (product.type === 'Service') return <span className={classes.none}>{MISSING}</span>;
  const amountOf = <InUnit text={qty(product.quantity)} unit={unit} />;
  const least = `Below reorder point: ${qty(product.reorderPoint)} ${unit}`.trim();
  if (!isLow(product)) return amountOf;
  return (
    <span className={classes.low} title={least}>
      <svg width={12} height={12} viewBox="0 0 24 24" aria-hidden="true">
        <path d="M12 4v15M6 13l6 6 6-6" fill="none" stroke="currentColor" strokeWidth={2.6} />
      </svg>
      <span className="sr-only">Below reorder point:</span>
      <span>{amountOf}</span>
    </span>
  );
}

interface AccountProps {
  product: Product;
  field: AccountField;
  onEdit?(button: HTMLElement): void;
}

const LABELS: Record<AccountField, string> = {
  inventoryAssetAccount: 'Inventory account',
  expenseAccount: 'Expense account',
};

function Account({ product, field, onEdit }: AccountProps) {
  const number = product[`${field}Number`];
  const name = product[`${field}Name`];
  const text = [number, name].filter(Boolean).join(' ');
  if (!onEdit) return text || <span className={classes.none}>{MISSING}</span>;
  return (
    <button
      type="button"
      className={classes.account}
      aria-label={`${LABELS[field]} of ${product.name}: ${text || 'none'}`}
      aria-haspopup="listbox"
      title={text || undefined}
      onClick={(event) => onEdit(event.currentTarget)}
    >
      {text || <span className={classes.none}>{MISSING}</span>}
    </button>
  );
}
