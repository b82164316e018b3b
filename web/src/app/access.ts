// What the menus offer: pages that exist and that the user may view.
import { can, type Me } from '#/api/session';
import { type PageKey, pages, spec, to } from '#/paths';

export function mayOpen(me: Me, key: PageKey): boolean {
  const page = spec(key);
  return Boolean(page.built) && can(me, page.can);
}

/** Pages that need no record to be opened. */
const PLAIN = (Object.keys(pages) as PageKey[]).filter((key) => !pages[key].path.includes(':'));

/** Where the back office begins for this user. */
export function firstPage(me: Me): string {
  const first = PLAIN.find((key) => mayOpen(me, key) && spec(key).can);
  return pages[first ?? 'lists'].path;
}

export interface Target {
  key: PageKey;
  label: string;
  path: string;
  words: string;
}

/** Everything the user may jump to now. */
export function openTargets(me: Me): Target[] {
  const targets = PLAIN.filter((key) => mayOpen(me, key)).map((key) => ({
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
