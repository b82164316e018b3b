import {
  IconArrowsRightLeft,
  IconCalendarEvent,
  IconClipboardCheck,
  IconPackageImport,
  IconReceipt2,
  IconShoppingCart,
  IconTrash,
  IconTrendingUp,
} from '@tabler/icons-react';
import { outsideShell } from '#/paths';
import { PhoneShell, type PhoneTask } from '../shell/PhoneShell';

const WORKS: readonly PhoneTask[] = [
  { name: 'Today', text: 'What is due', icon: IconCalendarEvent, can: 'apps/branchOps' },
  {
    name: 'Count',
    text: 'Opening and closing',
    icon: IconClipboardCheck,
    can: 'stores/storeCount',
    app: { path: outsideShell.storeCount, can: 'apps/storeCount' },
  },
  { name: 'Order', text: 'For the next days', icon: IconShoppingCart, can: 'stores/storeOrders' },
  { name: 'Receive', text: 'What arrived', icon: IconPackageImport, can: 'stores/storeReceive' },
  { name: 'Waste', text: 'What was thrown away', icon: IconTrash, can: 'stores/storeInventory' },
  {
    name: 'Transfer',
    text: 'To another store',
    icon: IconArrowsRightLeft,
    can: 'stores/storeInventory',
  },
  {
    name: 'Z-reading photo',
    text: "The till's day, and the cash",
    icon: IconReceipt2,
    can: 'sales/zReading',
  },
  { name: 'Sales today', text: 'So far', icon: IconTrendingUp, can: 'reports/reports' },
];

export default function BranchOps() {
  return <PhoneShell title="Branch operations" storeKey="branchOps:lastStoreId" tasks={WORKS} />;
}
