// Which records there are, where their names come from and where they are opened. What the kinds are
// is the server's word (`kinds.gen.ts`); which page shows them is this console's.
import { kinds } from './kinds.gen';
import { type PageKey, pages, spec, to } from './paths';

interface RecordKind {
  readonly one: string;
  readonly many: string;
  /** Where its names are asked for: `/api/names/{slug}`. Also its list's name in the cache. */
  readonly slug: string;
  /** Where its records are served. */
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

/** The kind that a list of this slug holds; its names and its cache go by the slug. */
export function kindOfSlug(slug: string): string | undefined {
  return Object.keys(recordKinds).find((kind) => recordKinds[kind]?.slug === slug);
}

/** Where a record is opened; null when no page shows it yet. */
export function recordPath(kind: string, id: string): string | null {
  const known = recordKinds[kind];
  if (!known || !spec(known.page).built) return null;
  if (known.whole) return to(known.page as 'product', { id });
  return to(known.page as 'listUoms', null, { open: id });
}

/** Where all records of a kind are; null when no page shows them yet. */
export function listPath(kind: string): string | null {
  const known = recordKinds[kind];
  if (!known || !spec(known.page).built) return null;
  return spec(known.page).path.replace(/\/:id$/, '');
}

/** Who may see a kind's records. */
export function recordRight(kind: string): string | undefined {
  const known = recordKinds[kind];
  return known && spec(known.page).can;
}

/** Where a kind's records are served; null for what is no record of a list. */
export function recordBase(kind: string): string | null {
  return recordKinds[kind]?.base ?? null;
}

/** What one record of any kind is called, inside a sentence. */
export function recordWord(kind: string): string | undefined {
  return kinds[kind]?.one;
}
