// What can be done to products from a list or a page, each with its word at the end.
import type { Name } from '#/api/names';
import { Problem } from '#/api/problem';
import { queries } from '#/api/queries';
import { sendInParts } from '#/lists/bulk/send';
import type { Step } from '#/lists/useUndo';
import { plural } from '#/ui/format';
import { done, failed } from '#/ui/toast';
import {
  forget,
  KEY,
  type Product,
  patchRows,
  productsApi,
  productsChanged,
  show,
  shown,
} from './api';
import { ACCOUNT_STAYS, SAYS, STAYS } from './words';

type Change = Partial<Record<keyof Product, string | boolean | null>>;

/**
 * Changes a field or two of a product. Somebody else's change of other fields is no reason to fail:
 * then it is sent again, from theirs.
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

/** Says what was done and offers to take it back. */
export type Offer = (step: Step) => void;

/** Shown once the server has agreed. */
export async function setInactive(
  product: Product,
  inactive: boolean,
  offer: Offer,
): Promise<boolean> {
  try {
    const { id, revision, ...rest } = await changeFields(product, { inactive });
    show({ id, revision, ...rest });
    offer({ message: inactive ? SAYS.inactive : SAYS.active, records: [{ id, revision }] });
    return true;
  } catch {
    failed(inactive ? SAYS.notInactive : SAYS.notActive, STAYS);
    return false;
  } finally {
    productsChanged();
  }
}

/** What stayed as it was, and why. */
export interface Left {
  name: string;
  why: string;
}

async function each(
  products: readonly Product[],
  run: (product: Product) => Promise<unknown>,
): Promise<Left[]> {
  const left: Left[] = [];
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
  offer: Offer,
): Promise<Left[]> {
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
  if (left.length > 0) failed(inactive ? SAYS.notInactive : SAYS.notActive, STAYS);
  if (records.length > 0) {
    const changed = plural(records.length, 'product');
    offer({ message: `${changed} marked ${inactive ? 'inactive' : 'active'}`, records });
  }
  return left;
}

export async function remove(id: string): Promise<void> {
  await productsApi.remove(id);
  forget(id);
}

export async function removeMany(products: readonly Product[], offer: Offer): Promise<Left[]> {
  const gone: string[] = [];
  const left = await each(products, async ({ id }) => {
    await remove(id);
    gone.push(id);
  });
  if (left.length > 0) failed(SAYS.notDeleted, STAYS);
  if (gone.length > 0) {
    const message = gone.length === 1 ? SAYS.deleted : `${plural(gone.length, 'product')} deleted`;
    offer({ message, records: gone.map((id) => ({ id, revision: null })) });
  }
  return left;
}

export type AccountField = 'inventoryAssetAccount' | 'expenseAccount';

/** What a row shows of an account. */
export function accountOf(field: AccountField, account: Name | null): Partial<Product> {
  return {
    [`${field}Id`]: account?.id,
    [`${field}Number`]: account?.code,
    [`${field}Name`]: account?.name,
  };
}

const turns = new Map<string, Promise<void>>();

/**
 * Gives a product another account: seen at once, and taken back when the server refuses. Two
 * changes of one product go one after the other, so that the second starts from the first.
 */
export function setAccount(id: string, field: AccountField, account: Name | null): Promise<void> {
  const turn = (turns.get(id) ?? Promise.resolve()).then(() => sendAccount(id, field, account));
  turns.set(id, turn);
  return turn;
}

async function sendAccount(id: string, field: AccountField, account: Name | null): Promise<void> {
  const before = shown(id);
  if (!before) {
    failed(SAYS.unknown, ACCOUNT_STAYS);
    return;
  }
  const had: Partial<Product> = {
    [`${field}Id`]: before[`${field}Id`],
    [`${field}Number`]: before[`${field}Number`],
    [`${field}Name`]: before[`${field}Name`],
  };
  // An answer that is on its way would put the old account back for a moment.
  await queries.cancelQueries({ queryKey: KEY });
  patchRows(id, (row) => ({ ...row, ...accountOf(field, account) }));
  try {
    show(await changeFields(before, { [`${field}Id`]: account?.id ?? null }));
    done(SAYS.account, STAYS);
  } catch (error) {
    patchRows(id, (row) => ({ ...row, ...had }));
    const gone = Problem.of(error).code === 'notFound';
    failed(gone ? SAYS.unknown : SAYS.notAccount, ACCOUNT_STAYS);
  } finally {
    productsChanged();
  }
}
