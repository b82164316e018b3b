import { IconClipboardCheck } from '@tabler/icons-react';
import { PhoneShell, type Work } from '../shell/PhoneShell';

const WORKS: readonly Work[] = [
  {
    name: 'Count',
    text: 'Opening and closing',
    icon: IconClipboardCheck,
    can: 'stores/storeCount',
  },
];

export default function StoreCount() {
  return <PhoneShell title="Store count" storeKey="storeCount:lastStoreId" works={WORKS} />;
}
