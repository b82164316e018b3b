// Permission maps as sets of rights (`stores/storeList:edit`), which are easier to compare.
import type { Catalogue } from './api';

/** Category → page → action → granted. */
export type Grants = Record<string, Record<string, Record<string, boolean>>>;

export const ACTIONS = [
  'view',
  'create',
  'edit',
  'delete',
  'import',
  'export',
  'approve',
  'post',
  'override',
  'count',
  'unlock',
] as const;

export const rightOf = (category: string, page: string, action: string) =>
  `${category}/${page}:${action}`;

export const isRight = (name: string) => /^[^/:]+\/[^/:]+:[^/:]+$/.test(name);

export function splitRight(name: string): { category: string; page: string; action: string } {
  const [place = '', action = ''] = name.split(':');
  const [category = '', page = ''] = place.split('/');
  return { category, page, action };
}

/** The rights a map grants. */
export function toRightSet(grants: Grants | null | undefined): Set<string> {
  const rights = new Set<string>();
  for (const [category, pages] of Object.entries(grants ?? {})) {
    for (const [page, actions] of Object.entries(pages ?? {})) {
      for (const [action, on] of Object.entries(actions ?? {})) {
        if (on) rights.add(rightOf(category, page, action));
      }
    }
  }
  return rights;
}

/** A map that grants exactly these. */
export function toGrants(rights: Iterable<string>): Grants {
  const grants: Grants = {};
  for (const name of rights) {
    const { category, page, action } = splitRight(name);
    grants[category] ??= {};
    grants[category][page] ??= {};
    grants[category][page][action] = true;
  }
  return grants;
}

export interface Difference {
  added: string[];
  removed: string[];
}

export function difference(before: ReadonlySet<string>, after: ReadonlySet<string>): Difference {
  return {
    added: [...after].filter((one) => !before.has(one)),
    removed: [...before].filter((one) => !after.has(one)),
  };
}

/**
 * The rights after switching some of them. Any right of a page needs `view`, so
 * `view` comes with the first right of a page and takes the others along when it goes.
 */
export function toggleRights(
  now: ReadonlySet<string>,
  names: readonly string[],
  on: boolean,
  free: (name: string) => boolean,
): Set<string> {
  const next = new Set(now);
  for (const name of names.filter(free)) {
    const { category, page, action } = splitRight(name);
    const view = rightOf(category, page, 'view');
    if (on) {
      if (action !== 'view' && !next.has(view)) {
        if (!free(view)) continue;
        next.add(view);
      }
      next.add(name);
      continue;
    }
    if (action === 'view') {
      const others = [...next].filter(
        (one) => one !== name && one.startsWith(`${category}/${page}:`),
      );
      for (const other of others) next.delete(other);
    }
    next.delete(name);
  }
  return next;
}

const BACK_OFFICE = rightOf('apps', 'backOffice', 'view');
const STORE_COUNT = rightOf('apps', 'storeCount', 'view');

/** The app right that the given rights need and lack; null if none. */
export function neededApp(rights: ReadonlySet<string>): string | null {
  const pages = new Set(
    [...rights].map((name) => name.split(':')[0]).filter((page) => !page?.startsWith('apps/')),
  );
  if (pages.size === 0 || rights.has(BACK_OFFICE)) return null;
  // The branch app also opens counting, and nothing else so far.
  if ([...pages].every((page) => page === 'stores/storeCount')) {
    return rights.has(STORE_COUNT) ? null : STORE_COUNT;
  }
  return BACK_OFFICE;
}

/** The wanted rights, plus the app right that the new ones need. */
export function withApp(
  now: ReadonlySet<string>,
  wished: ReadonlySet<string>,
  free: (name: string) => boolean,
): Set<string> {
  const next = new Set(wished);
  const app = neededApp(next);
  const more = [...next].some((name) => !now.has(name) && !name.startsWith('apps/'));
  if (app && more && !now.has(app) && free(app)) next.add(app);
  return next;
}

/** Every right there is, as the catalogue has it. */
export function everyRight(catalogue: Catalogue): string[] {
  return catalogue.categories.flatMap(({ key, pages }) =>
    pages.flatMap((page) => page.actions.map((action) => rightOf(key, page.key, action))),
  );
}

const VERBS: Record<string, string> = {
  view: 'View',
  create: 'Create',
  edit: 'Edit',
  delete: 'Delete',
  import: 'Import',
  export: 'Export',
  approve: 'Approve',
  post: 'Post',
  override: 'Override',
  count: 'Count',
  unlock: 'Unlock',
};

export const verb = (action: string) =>
  VERBS[action] ?? action.charAt(0).toUpperCase() + action.slice(1);

/** «Edit Locations», for lists of what changed. */
export function rightName(name: string, catalogue: Catalogue | undefined): string {
  const { category, page, action } = splitRight(name);
  const found = catalogue?.categories
    .find(({ key }) => key === category)
    ?.pages.find(({ key }) => key === page);
  const label = found?.label ?? page;
  return category === 'apps' ? `Open the ${label} app` : `${verb(action)} ${label}`;
}

/** A summary of a role: «Everything in Stores. Sees Reports. Part of Lists.» */
export function summary(grants: Grants | null | undefined, catalogue: Catalogue): string {
  const rights = toRightSet(grants);
  if (rights.size === 0) return 'Allows nothing yet.';
  const all: string[] = [];
  const sees: string[] = [];
  const part: string[] = [];
  const apps: string[] = [];
  for (const { key, label, pages } of catalogue.categories) {
    // Apps have one right each: list them by name.
    if (key === 'apps') {
      apps.push(
        ...pages.filter((page) => rights.has(rightOf(key, page.key, 'view'))).map((p) => p.label),
      );
      continue;
    }
    const every = pages.flatMap((page) => page.actions.map((a) => rightOf(key, page.key, a)));
    const held = every.filter((one) => rights.has(one));
    if (held.length === 0) continue;
    if (held.length === every.length) all.push(label);
    else if (held.every((one) => one.endsWith(':view'))) sees.push(label);
    else part.push(label);
  }
  if (everyRight(catalogue).every((one) => rights.has(one))) return 'Everything.';
  const parts = [
    all.length > 0 && `Everything in ${joinWords(all)}.`,
    part.length > 0 && `Works in ${joinWords(part)}.`,
    sees.length > 0 && `Sees ${joinWords(sees)}.`,
    apps.length > 0 && `Opens ${joinWords(apps)}.`,
  ].filter(Boolean);
  return parts.join(' ');
}

/** a, b and c */
export function joinWords(words: readonly string[]): string {
  if (words.length < 2) return words.join('');
  return `${words.slice(0, -1).join(', ')} and ${words.at(-1)}`;
}
