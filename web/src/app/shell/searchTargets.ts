// What the search offers besides records: every page and every deed that the user may open now.
import {
  type Icon,
  IconArrowsExchange,
  IconDeviceDesktop,
  IconFileImport,
  IconFileText,
  IconKeyboard,
  IconLogout,
  IconMoon,
  IconPlus,
  IconScale,
  IconSun,
} from '@tabler/icons-react';
import { can, type Me } from '#/api/session';
import { outside, pages, spec, to } from '#/paths';
import { listPath, recordKinds, recordRight } from '#/records';
import { kindIcon } from '#/ui/kindIcons';
import { openTargets } from '../access';
import { type Words, wordsOf } from './match';

/** A deed that is no address. */
export type Deed = 'adjust' | 'keys' | 'light' | 'dark' | 'auto' | 'signOut';

export interface Target {
  key: string;
  kind: 'page' | 'action';
  icon: Icon;
  title: string;
  words: Words;
  path?: string;
  deed?: Deed;
  /** Offered before anything is typed. */
  often?: true;
}

/** Lists that anyone may read are changed with the right to all lists. */
const editRight = (kind: string) => recordRight(kind) ?? 'lists/allLists';

export function searchTargets(me: Me): Target[] {
  return [...pageTargets(me), ...newTargets(me), ...importTargets(me), ...deedTargets(me)];
}

function pageTargets(me: Me): Target[] {
  const kinds = new Map(Object.keys(recordKinds).map((kind) => [listPath(kind), kind]));
  return openTargets(me).map(({ label, path, words }) => {
    const kind = kinds.get(path);
    return {
      key: `page ${path}`,
      kind: 'page',
      icon: kind ? kindIcon(kind) : IconFileText,
      title: label,
      words: wordsOf(label, words),
      path,
    };
  });
}

function action(title: string, icon: Icon, rest: Partial<Target>, words = ''): Target {
  const key = `action ${title}`;
  return { key, kind: 'action', icon, title, words: wordsOf(title, words), ...rest };
}

function newTargets(me: Me): Target[] {
  const records = Object.entries(recordKinds).flatMap(([kind, { one }]) => {
    const list = listPath(kind);
    if (!list || !can(me, editRight(kind), 'create')) return [];
    const path = kind === 'location' ? to('storesLocation', { id: 'new' }) : `${list}?open=new`;
    const often = kind === 'product' || undefined;
    return [action(`New ${one}`, IconPlus, { path, often }, 'add create')];
  });
  if (!can(me, pages.users.can, 'create')) return records;
  const path = to('users', null, { open: 'new' });
  return [...records, action('New user', IconPlus, { path }, 'add invite person')];
}

function importTargets(me: Me): Target[] {
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

/** What the page of all of them is called, inside a sentence. */
function many(path: string | null, label: string): string {
  const page = Object.values(pages).find((one) => one.path === path);
  const title = page?.label ?? label;
  return /^[A-Z][a-z]/.test(title) ? title.charAt(0).toLowerCase() + title.slice(1) : title;
}

function deedTargets(me: Me): Target[] {
  const adjust = can(me, pages.products.can, 'edit')
    ? [action('Adjust quantity…', IconScale, { deed: 'adjust', often: true }, 'stock count')]
    : [];
  return [
    ...adjust,
    action('Keyboard shortcuts', IconKeyboard, { deed: 'keys' }, 'help keys'),
    action('Light appearance', IconSun, { deed: 'light' }, 'theme mode bright'),
    action('Dark appearance', IconMoon, { deed: 'dark' }, 'theme mode night'),
    action('Appearance of the device', IconDeviceDesktop, { deed: 'auto' }, 'theme mode auto'),
    action('Switch app', IconArrowsExchange, { path: outside.home, often: true }, 'mode home'),
    action('Sign out', IconLogout, { deed: 'signOut', often: true }, 'log out leave'),
  ];
}
