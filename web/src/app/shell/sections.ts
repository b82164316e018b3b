import {
  type Icon,
  IconBuildingStore,
  IconChartBar,
  IconLayoutDashboard,
  IconPackage,
  IconReceipt2,
  IconToolsKitchen2,
} from '@tabler/icons-react';
import { can, type Me } from '#/api/session';
import { type PageKey, type Permission, pages, reportTabs, spec, to } from '#/paths';
import { mayOpen } from '../access';

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
    ],
  },
  {
    name: 'Sales',
    icon: IconReceipt2,
    can: 'sales/cmsr',
    items: [
      item('salesCmsr'),
      item('salesZReading'),
      item('salesNetsuite'),
      item('toolsImportSales'),
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

/** The sidebar entry that an address belongs to. */
export function highlight(path: string): string {
  if (under(path, '/products')) return 'Products';
  if (under(path, '/stores/orders', '/stores/receive')) return 'Orders';
  if (under(path, '/stores/locations', '/stores/inventory')) return 'Locations';
  if (under(path, '/stores/transactions')) return 'Store transactions';
  if (under(path, '/stores/count')) return 'Store count';
  return 'Home';
}

const SECTION_OF: Record<string, string> = {
  Products: 'Products',
  Orders: 'Stores',
  Locations: 'Stores',
  'Store transactions': 'Stores',
  'Store count': 'Stores',
};

/** The section to highlight: that of the entry, or the one the page belongs to, else Home. */
export function activeSection(path: string): string {
  const known = SECTION_OF[highlight(path)];
  if (known) return known;
  if (under(path, '/commissary')) return 'Commissary';
  const own = sections.find((section) =>
    section.items.some(
      ({ page, path: root }) =>
        under(path, root) || (page === 'reports' && under(path, '/reports')),
    ),
  );
  return own?.name ?? 'Dashboard';
}
