import { Button, Menu } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { Link } from 'react-router';
import { useCan } from '#/api/session';
import { to } from '#/paths';
import { useTableState } from '#/table/useTableState';
import { PageTabs } from '#/ui/PageTabs';
import { useMyStores } from '#/ui/StoreChoice';
import { Book } from './Book';
import { Documents } from './Documents';
import { Running } from './Running';

type Tab = 'book' | 'stock' | 'transfers' | 'waste';

/** A store's ledger, its items' running stock, its transfers and its waste. */
export default function TransactionsPage() {
  const state = useTableState();
  const { stores } = useMyStores();
  const mayCreate = useCan('stores/storeTransactions', 'create');
  const maySeeStock = useCan('stores/storeInventory');
  const asked = state.get('tab');
  const tab: Tab =
    asked === 'transfers' || asked === 'waste' || (asked === 'stock' && maySeeStock)
      ? asked
      : 'book';
  const store = state.get('store') || undefined;
  const storeId = store ?? stores[0]?.id ?? '';
  const here = (of: Tab) =>
    to('storesTransactions', null, { tab: of === 'book' ? undefined : of, store });
  const tabs: { value: Tab; to: string; label: string }[] = [
    { value: 'book', to: here('book'), label: 'All entries' },
    ...(maySeeStock
      ? [{ value: 'stock' as const, to: here('stock'), label: 'Running stock' }]
      : []),
    { value: 'transfers', to: here('transfers'), label: 'Transfers' },
    { value: 'waste', to: here('waste'), label: 'Waste' },
  ];
  const above = <PageTabs label="Store transactions" current={tab} tabs={tabs} />;
  const choose = (id: string) => state.set({ store: id }, true);

  if (tab === 'transfers' || tab === 'waste') {
    return <Documents waste={tab === 'waste'} above={above} />;
  }
  if (tab === 'stock') return <Running storeId={storeId} onStore={choose} above={above} />;
  return (
    <Book
      key={storeId}
      storeId={storeId}
      onStore={choose}
      above={above}
      actions={mayCreate && <NewMenu />}
    />
  );
}

function NewMenu() {
  return (
    <Menu position="bottom-end" width={190}>
      <Menu.Target>
        <Button leftSection={<IconPlus size={17} aria-hidden />}>New</Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item component={Link} to={to('storesTransfer', { id: 'new' })}>
          Transfer
        </Menu.Item>
        <Menu.Item component={Link} to={to('storesWasteReport', { id: 'new' })}>
          Waste report
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
