// What can be done to products from a list or a page; each action ends with a toast.
import type { Name } from '#/api/names';
import { Problem } from '#/api/problem';
import { queries } from '#/api/queries';
import { sendInParts } from '#/lists/bulk/send';
import type { UndoStep } from '#/lists/useUndo';
import { plural } from '#/ui/format';
import { failed } from '#/ui/toast';
import {
  cachedProduct,
  dropFromCache,
  KEY,
  type Product,
  patchRows,
  productsApi,
  productsChanged,
  updateCache,
} from './api';
import { ACCOUNT_TOAST_MS, MESSAGES, TOAST_MS } from './messages';

type Change = Partial<Record<keyof Product, string | boolean | null>>;

/**
 * Changes fields of a product. If another user changed other fields meanwhile, the change is sent again with the newer
 * revision.
 */
async function changeFields(from: Product, change: Change): Promise<Product> {
  try {
    return await productsApi.update(from.id, from.revision, change);
  } catch (error) {
    const problem = Problem.of(error);
    const theirs = problem.extras.current as Product | undefined;
    const same = (name: string) =>
      (theirs?.[name as keyof Product] ?? null) === (from[name as keyof Product] ?? null);
    if (problem.code !== 'stale' || !theirs || !Object.keys(change).every(same)) throw error;
    return productsApi.update(from.id, theirs.revision, change);
  }
}

/** Shows what was done, with «Undo». */
export type OfferUndo = (step: UndoStep) => void;

/** Not optimistic: the screens change after the server has answered. */
export async function setInactive(
  product: Product,
  inactive: boolean,
  offer: OfferUndo,
): Promise<boolean> {
  try {
    const { id, revision, ...rest } = await changeFields(product, { inactive });
    updateCache({ id, revision, ...rest });
    const message = inactive ? MESSAGES.inactive : MESSAGES.active;
    offer({ message, name: product.name, records: [{ id, revision }] });
    return true;
  } catch {
    failed(inactive ? MESSAGES.notInactive : MESSAGES.notActive, TOAST_MS);
    return false;
  } finally {
    productsChanged();
  }
}

/** A product that was not changed, and why. */
export interface NotChanged {
  name: string;
  why: string;
}

async function runEach(
  products: readonly Product[],
  run: (product: Product) => Promise<unknown>,
): Promise<NotChanged[]> {
  const left: NotChanged[] = [];
  for (const product of products) {
    try {
      await run(product);
    } catch (error) {
      left.push({ name: product.name, why: Problem.of(error).message });
    }
  }
  productsChanged();
  return left;
}

const nameOf = ({ name }: Product) => name;

export async function setManyInactive(
  products: readonly Product[],
  inactive: boolean,
  offer: OfferUndo,
): Promise<NotChanged[]> {
  const wanted = products.filter((product) => product.inactive !== inactive);
  const [first] = wanted;
  if (!first) return [];
  if (wanted.length === 1) {
    await setInactive(first, inactive, offer);
    return [];
  }
  const { done: records, failed: left } = await sendInParts(
    productsApi,
    wanted,
    { inactive },
    nameOf,
  );
  productsChanged();
  if (left.length > 0) failed(inactive ? MESSAGES.notInactive : MESSAGES.notActive, TOAST_MS);
  if (records.length > 0) {
    const changed = plural(records.length, 'product');
    offer({ message: `${changed} marked ${inactive ? 'inactive' : 'active'}`, records });
  }
  return left;
}

export async function deleteProduct(id: string): Promise<void> {
  await productsApi.remove(id);
  dropFromCache(id);
}

export async function deleteProducts(
  products: readonly Product[],
  offer: OfferUndo,
): Promise<NotChanged[]> {
  const gone: string[] = [];
  const left = await runEach(products, async ({ id }) => {
    await deleteProduct(id);
    gone.push(id);
  });
  if (left.length > 0) failed(MESSAGES.notDeleted, TOAST_MS);
  if (gone.length > 0) {
    const message =
      gone.length === 1 ? MESSAGES.deleted : `${plural(gone.length, 'product')} deleted`;
    const name = gone.length === 1 ? products.find(({ id }) => id === gone[0])?.name : undefined;
    offer({ message, name, records: gone.map((id) => ({ id, revision: null })) });
  }
  return left;
}

export type AccountField = 'inventoryAssetAccount' | 'expenseAccount';

/** The fields of a row that show an account. */
export function accountOf(field: AccountField, account: Name | null): Partial<Product> {
  return {
    [`${field}Id`]: account?.id,
    [`${field}Number`]: account?.code,
    [`${field}Name`]: account?.name,
  };
}

const accountChanges = new Map<string, Promise<void>>();

/**
 * Changes an account of a product optimistically; it is rolled back when the server refuses. Two
 * changes of one product run one after the other, so that the second has the revision of the first.
 */
export function setAccount(
  id: string,
  field: AccountField,
  account: Name | null,
  offer: OfferUndo,
): Promise<void> {
  const turn = (accountChanges.get(id) ?? Promise.resolve()).then(() =>
    sendAccount(id, field, account, offer),
  );
  accountChanges.set(id, turn);
  return turn;
}

async function sendAccount(
  id: string,
  field: AccountField,
  account: Name | null,
  offer: OfferUndo,
): Promise<void> {
  const before = cachedProduct(id);
  if (!before) {
    failed(MESSAGES.unknown, ACCOUNT_TOAST_MS);
    return;
  }
  const had: Partial<Product> = {
    [`${field}Id`]: before[`${field}Id`],
    [`${field}Number`]: before[`${field}Number`],
    [`${field}Name`]: before[`${field}Name`],
  };
  // A response under way would bring the old account back for a moment.
  await queries.cancelQueries({ queryKey: KEY });
  patchRows(id, (row) => ({ ...row, ...accountOf(field, account) }));
  try {
    const after = await changeFields(before, { [`${field}Id`]: account?.id ?? null });
    updateCache(after);
    const { revision, name } = after;
    offer({ message: MESSAGES.account, name, records: [{ id, revision }] });
  } catch (error) {
    patchRows(id, (row) => ({ ...row, ...had }));
    const gone = Problem.of(error).code === 'notFound';
    failed(gone ? MESSAGES.unknown : MESSAGES.notAccount, ACCOUNT_TOAST_MS);
  } finally {
    productsChanged();
  }
}
