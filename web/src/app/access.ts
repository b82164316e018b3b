// The pages that exist and that the user may view.
import { type Me, mayOpen } from '#/api/session';
import { type PageKey, pages, spec, to } from '#/paths';

/** Pages that can be opened without naming a record. */
const PAGES_WITHOUT_RECORD = (Object.keys(pages) as PageKey[]).filter(
  (key) => !pages[key].path.includes(':'),
);

/** The first page of the back office that this user may view; pages open to all come last. */
export function firstPage(me: Me): string {
  const open = PAGES_WITHOUT_RECORD.filter((key) => mayOpen(me, key));
  const first = open.find((key) => spec(key).can) ?? open[0];
  return pages[first ?? 'lists'].path;
}

export interface PageTarget {
  key: PageKey;
  label: string;
  path: string;
  words: string;
}

/** All pages the user may open. */
export function openPages(me: Me): PageTarget[] {
  const targets = PAGES_WITHOUT_RECORD.filter((key) => mayOpen(me, key)).map((key) => ({
    key,
    label: spec(key).label,
    path: pages[key].path as string,
    words: spec(key).words ?? '',
  }));
  if (mayOpen(me, 'reports')) {
    targets.push({
      key: 'reports',
      label: 'Reports',
      path: to('reports', { tab: 'standard' }),
      words: 'standard',
    });
  }
  return targets;
}
