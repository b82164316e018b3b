import {
  type Icon,
  IconBuildingStore,
  IconChartBar,
  IconLayoutDashboard,
  IconPackage,
  IconReceipt2,
  IconToolsKitchen2,
} from '@tabler/icons-react';
import { can, type Me, mayOpen } from '#/api/session';
import { catalogue } from '#/features/reports/catalogue';
import { type PageKey, type Permission, pages, reportTabs, spec, to } from '#/paths';

export interface RailItem {
  page: PageKey;
  label: string;
  path: string;
}

export interface RailSection {
  name: string;
  icon: Icon;
  can: Permission;
  /** The default route first. */
  items: readonly RailItem[];
}

const item = (page: PageKey, label = spec(page).label): RailItem => ({
  page,
  label,
  path: pages[page].path,
});

export const sections: readonly RailSection[] = [
  {
    name: 'Dashboard',
    icon: IconLayoutDashboard,
    can: 'dashboard/home',
    items: [item('dashboardMain'), item('dashboardDrpNew')],
  },
  {
    name: 'Commissary',
    icon: IconToolsKitchen2,
    can: 'lists/commissaries',
    items: [
      item('listCommissaries'),
      item('commissaryOrders'),
      item('commissaryProduction'),
      item('commissaryDeliveries'),
    ],
  },
  {
    name: 'Products',
    icon: IconPackage,
    can: 'products/products',
    items: [item('products', 'Products'), item('stockLots')],
  },
  {
    name: 'Stores',
    icon: IconBuildingStore,
    can: 'stores/storeList',
    items: [
      item('storesLocations'),
      item('storesInventory'),
      item('storesCount'),
      item('storesOrders'),
      item('storesReceive'),
      item('storesTransactions'),
    ],
  },
  {
    name: 'Sales',
    icon: IconReceipt2,
    can: 'sales/cmsr',
    items: [
      item('salesCmsr'),
      item('salesZReading'),
      item('salesTenderReport'),
      item('salesNetsuite'),
      item('toolsImportSales'),
      item('toolsImportSalesBq'),
    ],
  },
  {
    name: 'Reports',
    icon: IconChartBar,
    can: 'reports/reports',
    items: reportTabs.map((tab) => ({
      page: 'reports' as const,
      label: tab.charAt(0).toUpperCase() + tab.slice(1),
      path: to('reports', { tab }),
    })),
  },
];

/** A section is enabled if the user may view its own permission or any item in it. */
export function isEnabled(me: Me, section: RailSection): boolean {
  return can(me, section.can) || section.items.some((entry) => can(me, spec(entry.page).can));
}

/** The path a click on the section opens: its default route, or the first item the user may open. */
export function landingOf(me: Me, section: RailSection): string | null {
  if (!isEnabled(me, section)) return null;
  return section.items.find((entry) => mayOpen(me, entry.page))?.path ?? null;
}

const under = (path: string, ...roots: string[]) =>
  roots.some((root) => path === root || path.startsWith(`${root}/`));

/** Addresses that highlight another entry than the one that is spelled like them. */
const HIGHLIGHTED_ELSEWHERE = (Object.keys(pages) as PageKey[]).flatMap((key) => {
  const { path, menu } = spec(key);
  return menu ? [{ root: path, page: menu as PageKey }] : [];
});

export interface HighlightedEntry {
  section: RailSection;
  item: RailItem;
}

const entries: readonly HighlightedEntry[] = sections.flatMap((section) =>
  section.items.map((one) => ({ section, item: one })),
);
const longestFirst = entries.toSorted((a, b) => b.item.path.length - a.item.path.length);

/** The one rail entry that an address highlights: the nearest one above it, or Home where there is none. */
export function highlighted(path: string): HighlightedEntry {
  const elsewhere = HIGHLIGHTED_ELSEWHERE.find(({ root }) => under(path, root))?.page;
  const wanted = elsewhere ? pages[elsewhere].path : path;
  const nearest = longestFirst.find(({ item: { path: root } }) => under(wanted, root));
  return nearest ?? tabOf(path) ?? (entries[0] as HighlightedEntry);
}

/** The entry of the tab that lists a report; the first tab for other addresses below `/reports`. */
function tabOf(path: string): HighlightedEntry | undefined {
  if (!under(path, '/reports')) return undefined;
  const tab = reportTabs.find((one) =>
    catalogue[one].some(({ reports }) =>
      reports.some(({ page }) => page && pages[page].path === path),
    ),
  );
  const wanted = to('reports', { tab: tab ?? reportTabs[0] });
  return entries.find(({ item: { path: root } }) => root === wanted);
}
