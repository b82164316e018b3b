import { Select } from '@mantine/core';
import { IconBuildingStore } from '@tabler/icons-react';
import { useNames } from '#/api/names';
import { useMe } from '#/api/session';

interface Props {
  value: string;
  onChange(id: string): void;
  label?: string;
}

/** The stores this person may see, by name. */
export function useMyStores() {
  const me = useMe();
  const { data = [], isPending } = useNames('stores');
  const within = me.user.storeIds;
  return {
    stores: within ? data.filter(({ id }) => within.includes(id)) : data,
    pending: isPending,
  };
}

/** One store, of those this person may see. */
export function StoreChoice({ value, onChange, label = 'Store' }: Props) {
  const { stores } = useMyStores();
  return (
    <Select
      aria-label={label}
      placeholder="Choose a store"
      leftSection={<IconBuildingStore size={16} stroke={1.7} aria-hidden />}
      data={stores.map(({ id, name }) => ({ value: id, label: name }))}
      value={value || null}
      onChange={(id) => id && onChange(id)}
      searchable
      allowDeselect={false}
      nothingFoundMessage="No such store"
      w={230}
    />
  );
}
