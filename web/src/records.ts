// The console's kinds of record: where their names come from and where they are opened. The server
// defines the kinds (`kinds.gen.ts`); this file maps them to pages.
import { kinds } from './kinds.gen';
import { type PageKey, pages, spec, to } from './paths';

interface RecordKind {
  readonly one: string;
  readonly many: string;
  /** The path of its names: `/api/names/{slug}`. Also its list's cache key. */
  readonly slug: string;
  /** The path of its records. */
  readonly base: string;
  /** The page that shows it: in its drawer, or as a page of its own. */
  readonly page: PageKey;
  readonly whole: boolean;
}

const byPath = new Map<string, PageKey>(
  Object.entries(pages).map(([key, { path }]) => [path, key as PageKey]),
);

function record({ one, many, place }: (typeof kinds)[string]): RecordKind | null {
  if (!place) return null;
  const page = byPath.get(place.page);
  if (!page) throw new Error(`No page is called ${place.page}`);
  return {
    one,
    many,
    slug: place.slug,
    base: place.base,
    page,
    whole: place.page.endsWith('/:id'),
  };
}

/** The kinds whose records have pages here. */
export const recordKinds: Readonly<Record<string, RecordKind>> = Object.fromEntries(
  Object.entries(kinds).flatMap(([kind, declared]) => {
    const known = record(declared);
    return known ? [[kind, known]] : [];
  }),
);

/** The kind in the list of this slug; names and cache use the slug. */
export function kindOfSlug(slug: string): string | undefined {
  return Object.keys(recordKinds).find((kind) => recordKinds[kind]?.slug === slug);
}

/** The address of a record; null if no page shows it yet. */
export function recordPath(kind: string, id: string): string | null {
  const known = recordKinds[kind];
  if (!known || !spec(known.page).built) return null;
  if (known.whole) return to(known.page as 'product', { id });
  return to(known.page as 'listUoms', null, { open: id });
}

/** The address of all records of a kind; null if no page shows them yet. */
export function listPath(kind: string): string | null {
  const known = recordKinds[kind];
  if (!known || !spec(known.page).built) return null;
  // The lists of these two are tabs.
  if (kind === 'transfer') return to('storesTransactions', null, { tab: 'transfers' });
  if (kind === 'waste') return to('storesTransactions', null, { tab: 'waste' });
  return spec(known.page).path.replace(/\/:id$/, '');
}

/** Kinds whose new record is a page, not a form over their list. */
const NEW_AT: Readonly<Record<string, () => string>> = {
  location: () => to('storesLocation', { id: 'new' }),
  storeOrder: () => to('storesOrder', { id: 'new' }),
  receipt: () => to('storesReceipt', { id: 'new' }),
  transfer: () => to('storesTransfer', { id: 'new' }),
  waste: () => to('storesWasteReport', { id: 'new' }),
  // Made of approved orders.
  delivery: () => pages.commissaryDelivery.path,
};

/** The address of the form of a new record; null if no page shows its kind yet. */
export function newPath(kind: string): string | null {
  const list = listPath(kind);
  return list && (NEW_AT[kind]?.() ?? `${list}?open=new`);
}

/** The permission to see a kind's records. */
export function recordRight(kind: string): string | undefined {
  const known = recordKinds[kind];
  return known && spec(known.page).can;
}

/** The path of a kind's records; null if they are not in a list. */
export function recordBase(kind: string): string | null {
  return recordKinds[kind]?.base ?? null;
}

/** The noun for a record of any kind, for use inside a sentence. */
export function recordWord(kind: string): string | undefined {
  return kinds[kind]?.one;
}
