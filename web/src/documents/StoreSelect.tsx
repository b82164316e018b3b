import { Select } from '@mantine/core';
import { IconBuildingStore } from '@tabler/icons-react';
import { storeOptions, useMyStores } from '#/ui/StoreChoice';

/** One of the user's stores, or all of them. */
export function StoreSelect({ value, onChange }: { value: string; onChange(id: string): void }) {
  const { stores } = useMyStores();
  return (
    <Select
      aria-label="Store"
      placeholder="All stores"
      size="xs"
      w={190}
      leftSection={<IconBuildingStore size={15} stroke={1.7} aria-hidden />}
      data={storeOptions(stores)}
      value={value || null}
      onChange={(id) => onChange(id ?? '')}
      searchable
      clearable
      clearButtonProps={{ 'aria-label': 'All stores' }}
      nothingFoundMessage="No such store"
    />
  );
}
