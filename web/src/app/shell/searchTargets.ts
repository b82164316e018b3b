// What the search offers besides records: the pages and commands that the user may open.
import {
  type Icon,
  IconArrowsExchange,
  IconDeviceDesktop,
  IconFileImport,
  IconFileText,
  IconHelp,
  IconLogout,
  IconMoon,
  IconPlus,
  IconScale,
  IconSun,
} from '@tabler/icons-react';
import { can, type Me } from '#/api/session';
import { outsideShell, pages, spec, to } from '#/paths';
import { listPath, newPath, recordKinds, recordRight } from '#/records';
import { kindIcon } from '#/ui/kindIcons';
import { openPages } from '../access';
import { type SearchWords, searchWordsOf } from './match';

/** Actions without an address. */
export type SearchCommand = 'adjust' | 'help' | 'light' | 'dark' | 'auto' | 'signOut';

export interface SearchTarget {
  key: string;
  kind: 'page' | 'action';
  icon: Icon;
  title: string;
  words: SearchWords;
  path?: string;
  command?: SearchCommand;
  /** Offered before anything is typed. */
  often?: true;
}

/** The permission to edit a kind's records; lists without one of their own use that for all lists. */
const editRight = (kind: string) => recordRight(kind) ?? 'lists/allLists';

export function searchTargets(me: Me): SearchTarget[] {
  return [...pageTargets(me), ...newTargets(me), ...importTargets(me), ...commandTargets(me)];
}

function pageTargets(me: Me): SearchTarget[] {
  const kinds = new Map(Object.keys(recordKinds).map((kind) => [listPath(kind), kind]));
  return openPages(me).map(({ label, path, words }) => {
    const kind = kinds.get(path);
    return {
      key: `page ${path}`,
      kind: 'page',
      icon: kind ? kindIcon(kind) : IconFileText,
      title: label,
      words: searchWordsOf(label, words),
      path,
    };
  });
}

function action(title: string, icon: Icon, rest: Partial<SearchTarget>, words = ''): SearchTarget {
  const key = `action ${title}`;
  return { key, kind: 'action', icon, title, words: searchWordsOf(title, words), ...rest };
}

function newTargets(me: Me): SearchTarget[] {
  const records = Object.entries(recordKinds).flatMap(([kind, { one }]) => {
    const path = newPath(kind);
    if (!path || !can(me, editRight(kind), 'create')) return [];
    const often = kind === 'product' || undefined;
    return [action(`New ${one}`, IconPlus, { path, often }, 'add create')];
  });
  if (!can(me, pages.users.can, 'create')) return records;
  const path = to('users', null, { open: 'new' });
  return [...records, action('New user', IconPlus, { path }, 'add invite person')];
}

function importTargets(me: Me): SearchTarget[] {
  if (!pages.toolsImportData.built || !can(me, pages.toolsImportData.can, 'import')) return [];
  return Object.entries(recordKinds).flatMap(([kind, { slug, page }]) => {
    const right = editRight(kind);
    if (!can(me, right, 'create') || !can(me, right, 'edit')) return [];
    const path = to('toolsImportData', null, { list: slug });
    const often = kind === 'product' || undefined;
    const what = kind === 'product' ? 'products' : many(listPath(kind), spec(page).label);
    return [action(`Import ${what}`, IconFileImport, { path, often }, 'upload csv xlsx excel')];
  });
}

/** The name of a list's page, in lower case for use inside a sentence. */
function many(path: string | null, label: string): string {
  const page = Object.values(pages).find((one) => one.path === path);
  const title = page?.label ?? label;
  return /^[A-Z][a-z]/.test(title) ? title.charAt(0).toLowerCase() + title.slice(1) : title;
}

function commandTargets(me: Me): SearchTarget[] {
  const adjust = can(me, pages.products.can, 'edit')
    ? [action('Adjust quantity…', IconScale, { command: 'adjust', often: true }, 'stock count')]
    : [];
  return [
    ...adjust,
    action('Help for this page', IconHelp, { command: 'help' }, 'help keys keyboard shortcuts'),
    action('Light appearance', IconSun, { command: 'light' }, 'theme mode bright'),
    action('Dark appearance', IconMoon, { command: 'dark' }, 'theme mode night'),
    action('Appearance of the device', IconDeviceDesktop, { command: 'auto' }, 'theme mode auto'),
    action('Switch app', IconArrowsExchange, { path: outsideShell.home, often: true }, 'mode home'),
    action('Sign out', IconLogout, { command: 'signOut', often: true }, 'log out leave'),
  ];
}
